/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lkpctl: finds the verb and runs it.
 */
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/config/load.h"
#include "harness/util/json.h"
#include "harness/util/log.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

static void add_usage(struct str *s)
{
	size_t width = 0;
	for (size_t i = 0; cmds[i]; i++)
		width = strlen(cmds[i]->name) > width ? strlen(cmds[i]->name) : width;
	str_add(s, "usage: lkpctl [-c FILE] [--db FILE] [--json] [-q] [-v] VERB [ARGS]\n\n"
		   "Finds kernel commits that made something slower.\n\nverbs:\n");
	for (size_t i = 0; cmds[i]; i++)
		str_addf(s, "  %-*s  %s\n", (int)width, cmds[i]->name, cmds[i]->summary);
	str_add(s, "\n`lkpctl VERB -h` prints a verb's own help.\n");
}

/* Index of the verb in argv: the first word that is no global option nor the value of one. */
static int find_verb(int argc, char **argv)
{
	int i = 1;
	while (i < argc && argv[i][0] == '-') {
		bool takes_value = streq(argv[i], "-c") || streq(argv[i], "--config") ||
				   streq(argv[i], "--db");
		i += takes_value ? 2 : 1;
	}
	return i;
}

static int fail_verb(const char *word)
{
	const char *names[64] = {NULL};
	for (size_t i = 0; cmds[i] && i < ARRAY_SIZE(names) - 1; i++)
		names[i] = cmds[i]->name;
	const char *near = str_nearest(word, names);
	_cleanup_str_ struct str text = STR_INIT;
	str_add_safe(&text, word, strlen(word));
	fprintf(stderr, "lkpctl: no such verb: %s", text.buf);
	if (near)
		fprintf(stderr, "; did you mean \"%s\"?", near);
	fputs("\n`lkpctl -h` lists them.\n", stderr);
	return EXIT_USAGE;
}

/* The verb with the options that stood before it moved behind it, so that it parses them. */
static int run_verb(struct cli *cli, const struct cmd *cmd, int argc, char **argv, int verb)
{
	_cleanup_free_ char **args = xcalloc((size_t)argc + 1, sizeof(*args));
	int n = 0;
	for (int i = verb; i < argc; i++)
		args[n++] = argv[i];
	if (verb > 1) {
		/* Before a "--", behind a group's own verb. */
		int at = 1;
		while (at < n && args[at][0] != '-')
			at++;
		memmove(args + at + verb - 1, args + at, (size_t)(n - at) * sizeof(*args));
		memcpy(args + at, argv + 1, (size_t)(verb - 1) * sizeof(*args));
		n += verb - 1;
	}
	return cmd->run(cli, n, args);
}

/* A closed standard stream would hand its number to the next file opened, the database's, say. What
 * is printed to a closed stdout is an error, as it should be. */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd)
			abort();
}

int main(int argc, char **argv)
{
	struct cli cli = {0};
	int verb = find_verb(argc, argv);
	_cleanup_str_ struct str usage = STR_INIT;

	open_standard_streams();
	setlocale(LC_CTYPE, "");
	json_init();
	proc_cancel_install();
	for (int i = 1; i < argc; i++)
		if (streq(argv[i], "-v") || streq(argv[i], "--verbose"))
			log_set_level(LOG_LEVEL_DEBUG);
	add_usage(&usage);
	if (argc > 1 &&
	    (streq(argv[1], "-h") || streq(argv[1], "--help") || streq(argv[1], "help")))
		return cli_print(&usage);
	if (verb >= argc) {
		for (int i = 1; i < argc; i++)
			if (streq(argv[i], "-h") || streq(argv[i], "--help"))
				return cli_print(&usage);
		fputs(usage.buf, stderr);
		return EXIT_USAGE;
	}
	for (size_t i = 0; cmds[i]; i++) {
		if (!streq(cmds[i]->name, argv[verb]))
			continue;
		int status = run_verb(&cli, cmds[i], argc, argv, verb);
		db_close(cli.db);
		free(cli.db_state);
		config_free(cli.config);
		return status;
	}
	return fail_verb(argv[verb]);
}
