/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/hash.h"

#include <fcntl.h>
#include <errno.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "harness/util/mem.h"

struct hash {
	EVP_MD_CTX *ctx;
};

/* SHA-256 from the default provider fails only without memory, or on a broken installation. */
static void must(int ok)
{
	if (ok != 1)
		abort();
}

struct hash *hash_new(void)
{
	struct hash *h = xcalloc(1, sizeof(*h));

	h->ctx = EVP_MD_CTX_new();
	must(h->ctx != NULL);
	must(EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL));
	return h;
}

void hash_add(struct hash *h, const void *data, size_t n)
{
	if (n)
		must(EVP_DigestUpdate(h->ctx, data, n));
}

void hash_finish(struct hash *h, char hex[HASH_HEX_LEN + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	must(EVP_DigestFinal_ex(h->ctx, md, &len));
	must(len * 2 == HASH_HEX_LEN);
	for (unsigned i = 0; i < len; i++) {
		hex[2 * i] = digits[md[i] >> 4];
		hex[2 * i + 1] = digits[md[i] & 15];
	}
	hex[HASH_HEX_LEN] = '\0';
	EVP_MD_CTX_free(h->ctx);
	free(h);
}

void hash_bytes(const void *data, size_t n, char hex[HASH_HEX_LEN + 1])
{
	struct hash *h = hash_new();

	hash_add(h, data, n);
	hash_finish(h, hex);
}

int hash_file(const char *path, char hex[HASH_HEX_LEN + 1], struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char digits[HASH_HEX_LEN + 1];
	char block[65536];
	struct hash *h;
	ssize_t n;
	int code;

	if (fd < 0)
		return err_errno(err, "cannot open %s", path);
	h = hash_new();
	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		hash_add(h, block, (size_t)n);
	}
	code = errno;
	hash_finish(h, digits);
	errno = code;
	if (n < 0)
		return err_errno(err, "cannot read %s", path);
	memcpy(hex, digits, sizeof(digits));
	return 0;
}
