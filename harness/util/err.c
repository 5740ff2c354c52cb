/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/err.h"

#include <errno.h>
#include <stdarg.h>

#undef err_set
#undef err_set_cause
#undef err_errno
#undef err_wrap

static void put_cause(struct err *err, const char *cause)
{
	snprintf(err->cause, sizeof(err->cause), "%s", cause);
}

/* The arguments may point into err itself, so the text is made aside first. */
static void __attribute__((format(printf, 2, 0)))
put_message(struct err *err, const char *fmt, va_list ap)
{
	char text[sizeof(err->msg)];

	vsnprintf(text, sizeof(text), fmt, ap);
	memcpy(err->msg, text, sizeof(text));
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	put_message(err, fmt, ap);
	va_end(ap);
	err->kind = kind;
	put_cause(err, "");
	return -1;
}

int err_set_cause(struct err *err, enum err_kind kind, const char *cause, const char *fmt, ...)
{
	char kept[sizeof(err->cause)];
	va_list ap;

	if (!err)
		return -1;
	snprintf(kept, sizeof(kept), "%s", cause);
	va_start(ap, fmt);
	put_message(err, fmt, ap);
	va_end(ap);
	err->kind = kind;
	put_cause(err, kept);
	return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	int code = errno;
	size_t used;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	put_message(err, fmt, ap);
	va_end(ap);
	used = strlen(err->msg);
	snprintf(err->msg + used, sizeof(err->msg) - used, ": %s", strerror(code));
	err->kind = ERR_INFRA;
	put_cause(err, "");
	errno = code;
	return -1;
}

int err_wrap(struct err *err, const char *fmt, ...)
{
	char inner[sizeof(err->msg)];
	size_t used;
	va_list ap;

	if (!err)
		return -1;
	memcpy(inner, err->msg, sizeof(inner));
	va_start(ap, fmt);
	put_message(err, fmt, ap);
	va_end(ap);
	used = strlen(err->msg);
	snprintf(err->msg + used, sizeof(err->msg) - used, ": %s", inner);
	return -1;
}

const char *err_kind_name(enum err_kind kind)
{
	static const char *const names[] = {
		[ERR_USER] = "USER",
		[ERR_INFRA] = "INFRA",
		[ERR_KERNEL] = "KERNEL",
		[ERR_BENCH] = "BENCH",
	};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "INFRA";
}
