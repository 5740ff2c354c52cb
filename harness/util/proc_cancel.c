/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/util/proc_cancel.h"

#include <errno.h>
#include <signal.h>

#include "harness/util/mem.h"
#include "harness/util/proc.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t cancel_signal;

static void on_signal(int sig)
{
	cancel_signal = sig;
}

/* No SA_RESTART: a wait for a lock or a terminal shall end too. */
void proc_cancel_install(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		struct sigaction act = {.sa_handler = on_signal};

		if (signals[i] == SIGINT)
			act.sa_flags = (int)SA_RESETHAND;
		sigemptyset(&act.sa_mask);
		sigaction(signals[i], &act, NULL);
	}
}

bool proc_cancelled(void)
{
	return cancel_signal != 0;
}

int proc_cancel_signal(void)
{
	return cancel_signal;
}

int proc_check_cancel(struct err *err)
{
	if (!cancel_signal)
		return 0;
	return err_set_cause(err, ERR_INFRA, "cancelled", "cancelled by SIG%s",
			     sigabbrev_np(cancel_signal));
}

/* The signals are blocked between the look at the flag and the wait, or one could come in between
 * and the wait would not end. */
int cancel_poll(struct pollfd *fds, nfds_t n, int timeout_ms, bool heed)
{
	struct timespec ts = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	sigset_t block, old, open;
	int result, code;

	sigemptyset(&block);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&block, signals[i]);
	pthread_sigmask(SIG_BLOCK, &block, &old);
	open = old;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigdelset(&open, signals[i]);
	if (heed && cancel_signal) {
		result = -1;
		code = ECANCELED;
	} else {
		result = ppoll(fds, n, timeout_ms < 0 ? NULL : &ts, &open);
		code = result < 0 && heed && cancel_signal ? ECANCELED : errno;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = code;
	return result;
}
