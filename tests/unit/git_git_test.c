/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <git2.h>
#include <unistd.h>

#include "harness/git/git.h"
#include "harness/git/repo.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"

/* base - one - two - three (master), and side, which starts at one, merged into three. */
enum { BASE, ONE, SIDE, TWO, THREE, ALONE, N_COMMITS };

static char dir[] = "/tmp/lkp-git-XXXXXX";
static git_repository *git;
static struct repo *repo;
static char ids[N_COMMITS][GIT_HEX_LEN + 1];

static const char hostile_message[] = "mm: make \x1b[31mshmem\xff faster\n\nIt was slow.\n\n"
				      "Fixes: 123456789abc (\"mm: old\")\n"
				      "Signed-off-by: A B <a@example.org>\n"
				      "signed-off-by: C D <c@example.org>\n";

/* A commit whose tree holds one file of this name and text. */
static void commit(int n, const char *file, const char *message, int parent, int parent2)
{
	git_oid blob, tree_id, id;
	git_treebuilder *builder;
	git_signature *who;
	git_tree *tree;
	git_commit *parents[2];
	int list[] = {parent, parent2};
	size_t count = 0;

	assert_int_equal(git_blob_create_from_buffer(&blob, git, message, strlen(message)), 0);
	assert_int_equal(git_treebuilder_new(&builder, git, NULL), 0);
	assert_int_equal(git_treebuilder_insert(NULL, builder, file, &blob, GIT_FILEMODE_BLOB), 0);
	assert_int_equal(git_treebuilder_write(&tree_id, builder), 0);
	git_treebuilder_free(builder);
	assert_int_equal(git_tree_lookup(&tree, git, &tree_id), 0);
	assert_int_equal(git_signature_new(&who, "x`rm -rf .`\xe9", "x@example.org", 1000 + n, 0),
			 0);
	for (int i = 0; i < 2; i++) {
		git_oid oid;

		if (list[i] < 0)
			continue;
		git_oid_fromstr(&oid, ids[list[i]]);
		assert_int_equal(git_commit_lookup(&parents[count++], git, &oid), 0);
	}
	assert_int_equal(git_commit_create(&id, git, NULL, who, who, NULL, message, tree, count,
					   (const git_commit **)parents),
			 0);
	git_oid_tostr(ids[n], sizeof(ids[n]), &id);
	while (count > 0)
		git_commit_free(parents[--count]);
	git_signature_free(who);
	git_tree_free(tree);
}

static int setup(void **state)
{
	struct err err = ERR_INIT;
	git_oid head;
	git_reference *ref;

	(void)state;
	assert_non_null(mkdtemp(dir));
	git_libgit2_init();
	assert_int_equal(git_repository_init(&git, dir, 1), 0);
	commit(BASE, "a", "base", -1, -1);
	commit(ONE, "b", hostile_message, BASE, -1);
	commit(SIDE, "c", "side", ONE, -1);
	commit(TWO, "d", "two", ONE, -1);
	commit(THREE, "e", "three", TWO, SIDE);
	commit(ALONE, "f", "alone", -1, -1);
	git_oid_fromstr(&head, ids[THREE]);
	assert_int_equal(git_reference_create(&ref, git, "refs/heads/topic", &head, 0, "test"), 0);
	git_reference_free(ref);
	assert_int_equal(repo_open(dir, &repo, &err), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	repo_free(repo);
	git_repository_free(git);
	git_libgit2_shutdown();
	return fs_remove_tree(dir, NULL);
}

static void opens_paths_and_file_urls_only(void **state)
{
	struct err err = ERR_INIT;
	_cleanup_free_ char *url = xasprintf("file://%s", dir);
	_cleanup_free_ char *escaped = xasprintf("file://localhost/%%74mp%s", dir + strlen("/tmp"));
	_cleanup_free_ char *below = xasprintf("%s/refs", dir);
	const struct {
		const char *path;
		bool ok;
	} rows[] = {
		{dir, true},	     {url, true},
		{escaped, true},     {"file://tmp/x", false},
		{below, false},	     {"https://example.org/x.git", false},
		{"/nowhere", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct repo *r = NULL;

		assert_int_equal(repo_open(rows[i].path, &r, &err), rows[i].ok ? 0 : -1);
		if (!rows[i].ok)
			assert_int_equal(err.kind, ERR_USER);
		repo_free(r);
	}
	assert_non_null(strstr(err.msg, "/nowhere"));
}

static void resolves_what_git_understands(void **state)
{
	struct err err = ERR_INIT;
	char shorter[12], got[GIT_HEX_LEN + 1] = "untouched";
	const struct {
		const char *rev;
		int want;
	} rows[] = {
		{"topic", THREE}, {"refs/heads/topic", THREE},
		{"topic~2", ONE}, {"topic^2", SIDE},
		{ids[TWO], TWO},  {shorter, TWO},
	};

	(void)state;
	snprintf(shorter, sizeof(shorter), "%.11s", ids[TWO]);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(repo_resolve(repo, rows[i].rev, got, &err), 0);
		assert_string_equal(got, ids[rows[i].want]);
	}
	assert_int_equal(repo_resolve(repo, "no-such", got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, "no-such"));
	assert_int_equal(repo_resolve(repo, "topic^{tree}", got, &err), -1);
	assert_string_equal(got, ids[TWO]);
}

/* Commits of one tree until two share four digits: by the birthday, after some three hundred. */
static void names_both_commits_of_an_ambiguous_prefix(void **state)
{
	struct err err = ERR_INIT;
	char(*made)[GIT_HEX_LEN + 1] = xcalloc(4000, sizeof(*made));
	char got[GIT_HEX_LEN + 1], prefix[5];
	size_t twin = 0, n;

	(void)state;
	for (n = 0; n < 4000 && !twin; n++) {
		char text[40];

		snprintf(text, sizeof(text), "commit %zu", n);
		commit(ALONE, "f", text, -1, -1);
		snprintf(made[n], sizeof(made[n]), "%s", ids[ALONE]);
		for (size_t i = 0; i < n && !twin; i++)
			twin = memcmp(made[i], made[n], 4) == 0 ? i + 1 : 0;
	}
	assert_true(twin > 0);
	snprintf(prefix, sizeof(prefix), "%.4s", made[n - 1]);
	assert_int_equal(repo_resolve(repo, prefix, got, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_non_null(strstr(err.msg, made[n - 1]));
	assert_non_null(strstr(err.msg, made[twin - 1]));
	free(made);
}

static void cleans_hostile_text(void **state)
{
	struct err err = ERR_INIT;
	struct commit c;
	_cleanup_strv_ char **signers = NULL;
	_cleanup_strv_ char **fixes = NULL;

	(void)state;
	assert_int_equal(repo_commit(repo, ids[ONE], &c, &err), 0);
	assert_string_equal(c.subject, "mm: make  [31mshmem\xef\xbf\xbd faster");
	assert_string_equal(c.author_name, "x`rm -rf .`\xef\xbf\xbd");
	assert_string_equal(c.committer_email, "x@example.org");
	assert_int_equal(c.date, 1000 + ONE);
	assert_int_equal(c.n_parents, 1);
	assert_string_equal(c.parents[0], ids[BASE]);
	signers = commit_trailers(&c, "Signed-off-by");
	fixes = commit_trailers(&c, "fixes");
	assert_int_equal(strv_len(signers), 2);
	assert_string_equal(signers[1], "C D <c@example.org>");
	assert_string_equal(fixes[0], "123456789abc (\"mm: old\")");
	commit_done(&c);
	assert_int_equal(repo_commit(repo, "12ab", &c, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
}

static void text_is_valid_utf8_and_capped_between_characters(void **state)
{
	static const struct {
		const char *in;
		size_t cap;
		const char *out;
	} rows[] = {
		{"plain", 99, "plain"},
		{"\xc3\xa9\xc3\xa9", 3, "\xc3\xa9"},
		{"\xc0\x80", 99, "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", 99, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf0\x9f\x98\x80", 99, "\xf0\x9f\x98\x80"},
		{"a\xe2\x82", 99, "a\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xff", 2, ""},
		{NULL, 9, ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *got = git_text(rows[i].in, rows[i].cap);

		assert_string_equal(got, rows[i].out);
	}
}

static void walks_history(void **state)
{
	struct err err = ERR_INIT;
	char base[GIT_HEX_LEN + 1];

	(void)state;
	assert_int_equal(repo_merge_base(repo, ids[SIDE], ids[TWO], base, &err), 0);
	assert_string_equal(base, ids[ONE]);
	assert_int_equal(repo_merge_base(repo, ids[ALONE], ids[TWO], base, &err), -1);
	assert_int_equal(err.kind, ERR_USER);
	assert_true(repo_is_ancestor(repo, ids[SIDE], ids[THREE]));
	assert_true(repo_is_ancestor(repo, ids[SIDE], ids[SIDE]));
	assert_false(repo_is_ancestor(repo, ids[SIDE], ids[TWO]));
	assert_false(repo_is_ancestor(repo, "junk", ids[TWO]));
}

static void lists_ranges(void **state)
{
	static const struct {
		int base;
		bool first_parent, more;
		size_t max, n;
		int first, last;
	} rows[] = {
		{BASE, false, false, 10, 4, THREE, ONE}, {BASE, true, false, 10, 3, THREE, ONE},
		{ONE, true, false, 2, 2, THREE, TWO},	 {BASE, true, true, 2, 2, THREE, TWO},
		{THREE, false, false, 10, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err err = ERR_INIT;
		struct commit *list;
		size_t n;
		bool more;

		assert_int_equal(repo_range(repo, ids[rows[i].base], ids[THREE],
					    rows[i].first_parent, rows[i].max, &list, &n, &more,
					    &err),
				 0);
		assert_int_equal(n, rows[i].n);
		assert_int_equal(more, rows[i].more);
		if (n > 0) {
			assert_string_equal(list[0].id, ids[rows[i].first]);
			assert_string_equal(list[n - 1].id, ids[rows[i].last]);
		}
		for (size_t k = 0; k < n; k++)
			commit_done(&list[k]);
		free(list);
	}
}

static void lists_changed_paths(void **state)
{
	struct err err = ERR_INIT;
	_cleanup_strv_ char **paths = NULL;
	_cleanup_strv_ char **one = NULL;

	(void)state;
	assert_int_equal(repo_changed_paths(repo, ids[BASE], ids[TWO], 10, &paths, &err), 0);
	assert_int_equal(strv_len(paths), 2);
	assert_string_equal(paths[0], "a");
	assert_string_equal(paths[1], "d");
	assert_int_equal(repo_changed_paths(repo, ids[BASE], ids[TWO], 1, &one, &err), 0);
	assert_int_equal(strv_len(one), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_paths_and_file_urls_only),
		cmocka_unit_test(resolves_what_git_understands),
		cmocka_unit_test(cleans_hostile_text),
		cmocka_unit_test(text_is_valid_utf8_and_capped_between_characters),
		cmocka_unit_test(walks_history),
		cmocka_unit_test(lists_ranges),
		cmocka_unit_test(lists_changed_paths),
		cmocka_unit_test(names_both_commits_of_an_ambiguous_prefix),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
