/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "harness/util/hash.h"
#include "harness/util/mem.h"
#include "harness/util/fs.h"

/* FIPS 180-2, appendix B. */
static const struct {
	const char *text, *hex;
} vectors[] = {
	{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static void known_vectors(void **state)
{
	char hex[HASH_HEX_LEN + 1];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		hash_bytes(vectors[i].text, strlen(vectors[i].text), hex);
		assert_string_equal(hex, vectors[i].hex);
	}
}

static void pieces_and_whole_agree(void **state)
{
	char hex[HASH_HEX_LEN + 1];
	struct hash *h = hash_new();

	(void)state;
	hash_add(h, "a", 1);
	hash_add(h, "", 0);
	hash_add(h, "bc", 2);
	hash_finish(h, hex);
	assert_string_equal(hex, vectors[1].hex);
}

static void files(void **state)
{
	char path[] = "/tmp/util_hash_test-XXXXXX", hex[HASH_HEX_LEN + 1] = "kept";
	struct err err = ERR_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	close(fd);
	assert_int_equal(hash_file("/nonexistent/file", hex, &err), -1);
	assert_string_equal(hex, "kept");
	assert_non_null(strstr(err.msg, "/nonexistent/file"));
	assert_int_equal(hash_file("/tmp", hex, &err), -1);
	assert_string_equal(hex, "kept");
	assert_int_equal(hash_file(path, hex, &err), 0);
	assert_string_equal(hex, vectors[1].hex);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_vectors),
		cmocka_unit_test(pieces_and_whole_agree),
		cmocka_unit_test(files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
