/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/git/git.h"

#include <ctype.h>
#include <stdarg.h>

#include "harness/git/repo.h"
#include "harness/util/mem.h"

#define SUBJECT_MAX   500
#define MESSAGE_MAX   65536
#define NAME_TEXT_MAX 320

void git_tree_cleanup(git_tree **tree)
{
	git_tree_free(*tree);
}

void git_commit_cleanup(git_commit **commit)
{
	git_commit_free(*commit);
}

int git_fail(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	const git_error *e = git_error_last();
	_cleanup_str_ struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	if (e && e->message) {
		str_add(&s, ": ");
		str_add_safe(&s, e->message, strlen(e->message));
	}
	return err_set(err, kind, "%s", s.buf);
}

/* Every start of libgit2 reads no configuration but the repository's own: what a person keeps in
 * his home must not change results. The folder of a watched tree often belongs to somebody else. */
static int library_start(struct err *err)
{
	static const int levels[] = {GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_XDG,
				     GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_PROGRAMDATA};
	static bool started;

	if (started)
		return 0;
	if (git_libgit2_init() < 0)
		return git_fail(err, ERR_INFRA, "libgit2 does not start");
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	started = true;
	return 0;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* file:///a%20b and file://localhost/a are paths; another scheme is refused. */
static int url_to_path(const char *url, struct str *ret, struct err *err)
{
	const char *p = url;

	if (!str_starts(url, "file://")) {
		if (strstr(url, "://"))
			return err_set(
				err, ERR_USER,
				"%s: only paths and file:// can be read; clone it and name the "
				"clone",
				url);
		str_add(ret, url);
		return 0;
	}
	p += strlen("file://");
	if (str_starts(p, "localhost/"))
		p += strlen("localhost");
	if (*p != '/')
		return err_set(err, ERR_USER, "%s: file:// takes an absolute path", url);
	for (; *p; p++) {
		int high = *p == '%' ? hex_digit(p[1]) : -1;
		int low = high >= 0 ? hex_digit(p[2]) : -1;

		str_addc(ret, low >= 0 ? (char)(high * 16 + low) : *p);
		p += low >= 0 ? 2 : 0;
	}
	return 0;
}

int repo_open(const char *path, struct repo **ret, struct err *err)
{
	_cleanup_str_ struct str local = STR_INIT;
	git_repository *git = NULL;
	struct repo *repo;

	if (library_start(err) < 0 || url_to_path(path, &local, err) < 0)
		return -1;
	if (git_repository_open_ext(&git, local.buf, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) < 0)
		return git_fail(err, ERR_USER, "%s is no git repository", local.buf);
	repo = xcalloc(1, sizeof(*repo));
	repo->git = git;
	repo->path = str_detach(&local);
	*ret = repo;
	return 0;
}

void repo_free(struct repo *repo)
{
	if (!repo)
		return;
	git_repository_free(repo->git);
	free(repo->path);
	free(repo);
}

const char *repo_path(const struct repo *repo)
{
	return repo->path;
}

void commit_done(struct commit *commit)
{
	free(commit->parents);
	free(commit->subject);
	free(commit->message);
	free(commit->author_name);
	free(commit->author_email);
	free(commit->committer_name);
	free(commit->committer_email);
	*commit = (struct commit){0};
}

int git_commit_get(struct repo *repo, const char *id, git_commit **ret, struct err *err)
{
	git_oid oid;

	if (strlen(id) != GIT_HEX_LEN || git_oid_fromstr(&oid, id) < 0)
		return err_set(err, ERR_USER, "\"%.60s\" is no full commit id", id);
	if (git_commit_lookup(ret, repo->git, &oid) < 0)
		return git_fail(err, ERR_USER, "%s has no commit %s", repo->path, id);
	return 0;
}

/* The first line of a message; a subject never holds a control character. */
static char *subject_of(const char *message)
{
	const char *start = message + strspn(message, " \t\r\n");
	_cleanup_free_ char *line = xstrndup(start, strcspn(start, "\r\n"));

	for (char *p = line; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	return git_text(line, SUBJECT_MAX);
}

int repo_commit(struct repo *repo, const char *id, struct commit *ret, struct err *err)
{
	_cleanup_commit_ git_commit *commit = NULL;
	const git_signature *author, *committer;
	struct commit c = {0};

	if (git_commit_get(repo, id, &commit, err) < 0)
		return -1;
	author = git_commit_author(commit);
	committer = git_commit_committer(commit);
	git_oid_tostr(c.id, sizeof(c.id), git_commit_id(commit));
	git_oid_tostr(c.tree, sizeof(c.tree), git_commit_tree_id(commit));
	c.n_parents = git_commit_parentcount(commit);
	c.parents = xcalloc(c.n_parents + 1, sizeof(*c.parents));
	for (size_t i = 0; i < c.n_parents; i++)
		git_oid_tostr(c.parents[i], sizeof(c.parents[i]),
			      git_commit_parent_id(commit, (unsigned)i));
	c.message = git_text(git_commit_message(commit), MESSAGE_MAX);
	c.subject = subject_of(c.message);
	c.author_name = git_text(author ? author->name : NULL, NAME_TEXT_MAX);
	c.author_email = git_text(author ? author->email : NULL, NAME_TEXT_MAX);
	c.committer_name = git_text(committer ? committer->name : NULL, NAME_TEXT_MAX);
	c.committer_email = git_text(committer ? committer->email : NULL, NAME_TEXT_MAX);
	c.date = git_commit_time(commit);
	*ret = c;
	return 0;
}
