/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kconfig of lkp.yaml asks of a kernel's configuration, and whether it was granted. The
 * fragments are ours; a kernel's .config and Kconfig files are hostile text.
 */
#ifndef LKP_KCONFIG_H
#define LKP_KCONFIG_H

#include "harness/config/config.h"
#include "harness/util/hash.h"
#include "harness/util/str.h"

struct kconfig_request {
	char *symbol; /* "CONFIG_FOO" */
	char *value;  /* as in .config: y, m, n, 12, "text" */
	char *file;   /* "kconfig/icount.config" */
	int line;
};

struct kconfig_requests {
	struct kconfig_request *list; /* each symbol once: a later line wins */
	size_t n, cap;
	char *base;	      /* make target, or NULL when the base is a file */
	struct str base_text; /* contents of the base file */
	struct str text;      /* the requests as lines for Kconfig */
	char key[HASH_HEX_LEN +
		 1]; /* changes when anything of it, the architecture or the image does */
};

/* Reads base and fragments. USER: a line that sets no symbol ("file:line: ..."), a file that cannot
 * be read, a base that is neither a target of Kconfig's nor a file. */
int kconfig_read(const struct config_kconfig *kconfig, struct kconfig_requests *ret,
		 struct err *err);
void kconfig_done(struct kconfig_requests *requests);

/* Whether the base target reads KCONFIG_ALLCONFIG itself; else fragments are put behind its
 * .config. */
bool kconfig_takes_allconfig(const char *target);

/* USER, cause "config", when a request did not survive in the text of .config; each one is named
 * with its place, what became of it and, from the Kconfig files below src (NULL: not looked for),
 * why. */
int kconfig_verify(const struct kconfig_requests *requests, const char *config, const char *src,
		   struct err *err);

#endif
