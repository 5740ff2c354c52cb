/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/config/check.h"

#include <ctype.h>
#include <stdbool.h>

#include "harness/config/fault.h"

enum { NAME_MAX_LEN = 64, ADDRESS_MAX_LEN = 254 };

static int refuse(const char *text, const char *wanted, struct err *err)
{
	_cleanup_str_ struct str shown = STR_INIT;

	fault_quote(&shown, text);
	return err_set(err, ERR_USER, "%s is not %s", shown.buf, wanted);
}

/* Length of the leading part made of ASCII letters, digits and the characters of more. */
static size_t word(const char *text, const char *more)
{
	size_t n = 0;

	while (text[n] && (unsigned char)text[n] < 0x80 &&
	       (isalnum((unsigned char)text[n]) || strchr(more, text[n])))
		n++;
	return n;
}

int check_name(const char *text, struct err *err)
{
	size_t n = word(text, "._+-");

	if (n && n <= NAME_MAX_LEN && !text[n] && text[0] != '.' && text[0] != '-')
		return 0;
	return refuse(text,
		      "a name: 1 to 64 letters, digits and . _ + - (no dot or dash at the start)",
		      err);
}

static bool is_domain(const char *text)
{
	size_t n = word(text, ".-");

	return n && !text[n] && text[0] != '.' && text[n - 1] != '.';
}

static bool is_address(const char *text)
{
	size_t n = word(text, ".!#$%&'*+/=?^_`{|}~-");

	return n && strlen(text) <= ADDRESS_MAX_LEN && text[n] == '@' && is_domain(text + n + 1);
}

int check_address(const char *text, struct err *err)
{
	return is_address(text) ? 0 : refuse(text, "an address like someone@example.org", err);
}

int check_recipient(const char *text, struct err *err)
{
	if (is_address(text) || (text[0] == '@' && is_domain(text + 1)))
		return 0;
	return refuse(text,
		      "an address like someone@example.org, or a domain like \"@example.org\"",
		      err);
}

int check_sender(const char *text, struct err *err)
{
	const char *open = strrchr(text, '<');
	size_t n = open ? strlen(open) : 0;
	_cleanup_str_ struct str address = STR_INIT;

	if (!open)
		str_add(&address, text);
	else if (n > 2 && open[n - 1] == '>')
		str_addn(&address, open + 1, n - 2);
	if (is_address(address.buf))
		return 0;
	return refuse(text, "a sender like lkpd <lkpd@example.org>", err);
}

static bool is_cpulist(const char *p)
{
	for (;;) {
		size_t n = strspn(p, "0123456789");

		if (!n || n > 4)
			return false;
		p += n;
		if (*p == '-') {
			p++;
			n = strspn(p, "0123456789");
			if (!n || n > 4)
				return false;
			p += n;
		}
		if (!*p)
			return true;
		if (*p++ != ',')
			return false;
	}
}

int check_cpulist(const char *text, struct err *err)
{
	return is_cpulist(text) ? 0 : refuse(text, "a list of CPUs like \"0-3,8\"", err);
}

int check_sysctl(const char *text, struct err *err)
{
	size_t n = word(text, "._-/");

	if (n && text[n] == '=' && text[0] != '/' && text[0] != '.' && !strstr(text, ".."))
		return 0;
	return refuse(text, "a setting like vm.swappiness=10", err);
}

int check_symbol(const char *text, struct err *err)
{
	static const char prefix[] = "CONFIG_";
	size_t n;

	if (!str_starts(text, prefix))
		return refuse(text, "a kernel symbol like CONFIG_SHMEM=y", err);
	n = strlen(prefix) + word(text + strlen(prefix), "_");
	if (n > strlen(prefix) && text[n] == '=' && text[n + 1])
		return 0;
	return refuse(text, "a kernel symbol like CONFIG_SHMEM=y", err);
}

int check_below(const char *text, struct err *err)
{
	if (*text && *text != '/' && !strstr(text, ".."))
		return 0;
	return refuse(text, "a path below the output folder, like arch/x86/boot/bzImage", err);
}
