/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs: one line to stderr each, "key=value" pairs behind a message; under systemd (JOURNAL_STREAM
 * names our stderr) with a "<N>" priority in front. Unprintable characters are escaped.
 */
#ifndef LKP_LOG_H
#define LKP_LOG_H

enum log_level { LOG_LEVEL_ERR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Lines above this level are dropped. Default LOG_LEVEL_WARN. */
void log_set_level(enum log_level level);
void log_line(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_err(...)   log_line(LOG_LEVEL_ERR, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...)  log_line(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_line(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
