/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/cli/cli.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/cmds.h"
#include "harness/config/load.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

const struct cmd *const cmds[] = {
	&cmd_check, &cmd_jobs, &cmd_machines, &cmd_build,  &cmd_run,   &cmd_compare, &cmd_report,
	&cmd_mail,  &cmd_db,   &cmd_import,   &cmd_export, &cmd_parse, &cmd_version, NULL,
};

int cli_config(struct cli *cli, const struct config **ret, struct err *err)
{
	if (!cli->config) {
		_cleanup_str_ struct str path = STR_INIT;
		if (config_find(cli->config_path, &path, err) < 0 ||
		    config_load(path.buf, &cli->config, NULL, err) < 0)
			return -1;
	}
	*ret = cli->config;
	return 0;
}

/* Is --db the configuration's own database by another path? Without a configuration it is not. */
static bool is_configured(struct cli *cli)
{
	const struct config *config;
	struct err ignored = ERR_INIT;
	struct stat a, b;

	return cli_config(cli, &config, &ignored) == 0 &&
	       (streq(cli->db_path, config->paths.db) ||
		(stat(cli->db_path, &a) == 0 && stat(config->paths.db, &b) == 0 &&
		 a.st_dev == b.st_dev && a.st_ino == b.st_ino));
}

int cli_db_place(struct cli *cli, const char **ret_path, const char **ret_state, struct err *err)
{
	const struct config *config;

	if (!cli->db_path) {
		if (cli_config(cli, &config, err) < 0)
			return err_wrap(err, "no --db was given");
		if (fs_mkdirs(config->paths.state, err) < 0)
			return -1;
		*ret_path = config->paths.db;
		*ret_state = config->paths.state;
		return 0;
	}
	if (!*cli->db_path)
		return err_set(err, ERR_USER, "--db is empty; give it a file");
	if (!cli->db_state)
		cli->db_state = is_configured(cli) ? xstrdup(cli->config->paths.state)
						   : db_state_of(cli->db_path);
	*ret_path = cli->db_path;
	*ret_state = cli->db_state;
	return 0;
}

static int open_db(struct cli *cli,
		   int (*open_by)(const char *path, const char *state, struct db **ret,
				  struct err *err),
		   struct db **ret, struct err *err)
{
	const char *path, *state;

	if (!cli->db &&
	    (cli_db_place(cli, &path, &state, err) < 0 || open_by(path, state, &cli->db, err) < 0))
		return -1;
	*ret = cli->db;
	return 0;
}

int cli_db(struct cli *cli, struct db **ret, struct err *err)
{
	return open_db(cli, db_open_state, ret, err);
}

int cli_db_read(struct cli *cli, struct db **ret, struct err *err)
{
	return open_db(cli, db_open_read, ret, err);
}

/* The global options; every verb takes them, too. */
static const struct opt *global_options(struct cli *cli, struct opt table[7], bool *help)
{
	const struct opt rows[] = {
		{"config", 'c', OPT_STR, "FILE", "the configuration (default: ./lkp.yaml, ...)",
		 &cli->config_path, 0, 0},
		{"db", 0, OPT_STR, "FILE", "the database, in place of the configuration's",
		 &cli->db_path, 0, 0},
		{"json", 0, OPT_FLAG, NULL, "print JSON", &cli->json, 0, 0},
		{"quiet", 'q', OPT_FLAG, NULL, "no progress, warnings only", &cli->quiet, 0, 0},
		{"verbose", 'v', OPT_FLAG, NULL, "say more", &cli->verbose, 0, 0},
		{"help", 'h', OPT_FLAG, NULL, "print this help", help, 0, 0},
		{.name = NULL},
	};
	memcpy(table, rows, sizeof(rows));
	return table;
}

static void add_global_help(struct str *s, struct cli *cli)
{
	struct opt global[7];
	bool help;
	str_add(s, "\nglobal options:\n");
	opt_add_help(s, global_options(cli, global, &help));
}

static void add_help(struct str *s, struct cli *cli, const struct cmd *cmd)
{
	str_addf(s, "usage: lkpctl %s%s%s\n\n%s.\n", cmd->name, *cmd->usage ? " " : "", cmd->usage,
		 cmd->summary);
	if (cmd->details)
		str_addf(s, "\n%s", cmd->details);
	if (cmd->options) {
		str_add(s, "\noptions:\n");
		opt_add_help(s, cmd->options());
	}
	add_global_help(s, cli);
}

int cli_args(struct cli *cli, const struct cmd *cmd, int argc, char **argv, int min, int max,
	     char ***ret_args, int *ret_n, int *ret_exit)
{
	static const struct opt none[] = {{.name = NULL}};
	struct opt global[7];
	struct err err = ERR_INIT;
	_cleanup_free_ char **args = NULL;
	bool help = false;
	int n = 0;

	global_options(cli, global, &help);
	if (opt_parse(cmd->options ? cmd->options() : none, global, argc, argv, &args, &n, &err) <
	    0) {
		fprintf(stderr, "lkpctl %s: %s\nusage: lkpctl %s %s\n", cmd->name, err.msg,
			cmd->name, cmd->usage);
		*ret_exit = EXIT_USAGE;
		return -1;
	}
	if (help) {
		_cleanup_str_ struct str text = STR_INIT;
		add_help(&text, cli, cmd);
		*ret_exit = cli_print(&text);
		return -1;
	}
	if (n < min || (max >= 0 && n > max)) {
		fprintf(stderr, "lkpctl %s: %s\nusage: lkpctl %s %s\n", cmd->name,
			n < min ? "arguments are missing" : "too many arguments", cmd->name,
			cmd->usage);
		*ret_exit = EXIT_USAGE;
		return -1;
	}
	*ret_args = args;
	args = NULL;
	*ret_n = n;
	return 0;
}

int cli_fail(const struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;
	/* A message may quote a commit's text: escape it, but keep the lines of our own lists. */
	for (const char *p = err->msg, *end; *p; p = end) {
		end = p + strcspn(p, "\n");
		str_add_safe(&text, p, (size_t)(end - p));
		if (*end) {
			str_addc(&text, '\n');
			end++;
		}
	}
	fprintf(stderr, "lkpctl: %s\n", text.buf);
	return streq(err->cause, "cancelled") || streq(err->cause, "locked") ||
			       streq(err->cause, "disk-full")
		       ? EXIT_LATER
		       : EXIT_FAIL;
}

int cli_print(const struct str *text)
{
	if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0) {
		fprintf(stderr, "lkpctl: cannot write to standard output: %s\n", strerror(errno));
		return EXIT_FAIL;
	}
	return EXIT_OK;
}

void cli_note(const struct cli *cli, const char *text)
{
	if (!cli->quiet)
		fprintf(stderr, "lkpctl: %s\n", text);
}

int cli_group(struct cli *cli, const struct cmd *group, const struct cmd *subs, int argc,
	      char **argv)
{
	const char *names[16] = {NULL};
	size_t n = 0;
	for (const struct cmd *sub = subs; sub->name && n < ARRAY_SIZE(names) - 1; sub++) {
		/* A sub-verb's name is "jobs list": what the person types is its last word. */
		const char *word = strrchr(sub->name, ' ');
		names[n++] = word ? word + 1 : sub->name;
		if (argc > 1 && streq(argv[1], names[n - 1]))
			return sub->run(cli, argc - 1, argv + 1);
	}
	bool help = argc > 1 && (streq(argv[1], "-h") || streq(argv[1], "--help"));
	_cleanup_str_ struct str text = STR_INIT;
	if (argc > 1 && !help) {
		const char *near = str_nearest(argv[1], names);
		str_addf(&text, "lkpctl %s: no such verb: ", group->name);
		str_add_safe(&text, argv[1], strlen(argv[1]));
		if (near)
			str_addf(&text, "; did you mean \"%s\"?", near);
		str_addc(&text, '\n');
	}
	str_addf(&text, "usage: lkpctl %s %s\n\n%s.\n\n", group->name, group->usage,
		 group->summary);
	for (const struct cmd *sub = subs; sub->name; sub++)
		str_addf(&text, "  lkpctl %s%s%s\n        %s\n", sub->name, *sub->usage ? " " : "",
			 sub->usage, sub->summary);
	if (group->details)
		str_addf(&text, "\n%s", group->details);
	add_global_help(&text, cli);
	if (help)
		return cli_print(&text);
	fputs(text.buf, stderr);
	return EXIT_USAGE;
}
