/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: a kind, which decides what happens next; a cause, a stable word for machines; and a
 * message for people: what failed, where, and what to do about it.
 *
 * A function that can fail takes `struct err *err` last and returns 0 or -1; on failure it has set
 * *err, and left its ret_* outputs alone. Callers add context with err_wrap().
 */
#ifndef LKP_ERR_H
#define LKP_ERR_H

enum err_kind {
	ERR_USER,   /* wrong input or configuration: tell the person */
	ERR_INFRA,  /* our lab failed: try again elsewhere, never blame a commit */
	ERR_KERNEL, /* a result about the commit: does not build, boot, or survive */
	ERR_BENCH,  /* the benchmark failed on a healthy kernel */
};

struct err {
	enum err_kind kind;
	char cause[24]; /* "build-failed", "panic", ...; "" when the kind says enough */
	char msg[1000];
};

#define ERR_INIT                  \
	{                         \
		.kind = ERR_INFRA \
	}

/* Sets *err (kind, message; no cause) and returns -1. err may be NULL. Over-long text is cut. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with a cause. */
int err_set_cause(struct err *err, enum err_kind kind, const char *cause, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets *err to kind INFRA with ": strerror(errno)" behind the message; returns -1. */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message, keeping kind and cause; returns -1. */
int err_wrap(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The value again, spelt out for compilers and analysers: they cannot look into err.c. */
/* clang-format off */
#define err_set(...)       ({ err_set(__VA_ARGS__); -1; })
#define err_set_cause(...) ({ err_set_cause(__VA_ARGS__); -1; })
#define err_errno(...)     ({ err_errno(__VA_ARGS__); -1; })
#define err_wrap(...)      ({ err_wrap(__VA_ARGS__); -1; })
/* clang-format on */

/* The kind's name: "USER", "INFRA", "KERNEL", "BENCH". */
const char *err_kind_name(enum err_kind kind);

#endif
