/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a mail address: what is taken has nothing in it that ends a header or an address. */
#include <stddef.h>
#include <stdint.h>

#include "harness/mail/mime.h"
#include "harness/util/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_free_ char *name = NULL, *email = NULL;
	struct err err = ERR_INIT;

	if (mime_address_parse(text, &name, &email, &err) < 0) {
		if (name || email || err.kind != ERR_USER)
			abort();
		return 0;
	}
	if (strpbrk(email, " \t\r\n<>,;:\"()[]\\") || !strchr(email, '@') || strlen(email) > 254)
		abort();
	return 0;
}
