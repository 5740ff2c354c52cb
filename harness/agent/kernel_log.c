/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/agent/kernel_log.h"

#include <sys/klog.h>

#include "harness/util/mem.h"

/* syslog(2)'s actions have no names in a header. */
enum { READ_ALL = 3, SIZE_BUFFER = 10 };

int kernel_log_read(size_t cap, struct str *ret)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0);
	_cleanup_free_ char *buf = NULL;
	int n;

	if (size <= 0)
		return -1;
	if ((size_t)size > cap)
		size = (int)cap;
	buf = xmalloc(size);
	n = klogctl(READ_ALL, buf, size);
	if (n < 0)
		return -1;
	str_addn(ret, buf, n);
	return 0;
}
