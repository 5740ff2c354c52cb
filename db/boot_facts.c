/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db/boot_facts.h"

#include <stddef.h>

#include "db/states.h"
#include "harness/util/json.h"
#include "harness/util/mem.h"

static const struct {
	const char *key;
	size_t offset;
} texts[] = {
	{"accel", offsetof(struct db_boot, accel)},
	{"clocksource", offsetof(struct db_boot, clocksource)},
	{"image_id", offsetof(struct db_boot, image_id)},
	{"toolbox_id", offsetof(struct db_boot, toolbox_id)},
	{"kind", offsetof(struct db_boot, kind)},
};

static const char **text_of(struct db_boot *b, size_t i)
{
	return (const char **)((char *)b + texts[i].offset);
}

json_t *boot_facts_json(const struct db_boot *b, json_t *findings)
{
	struct db_boot copy = *b;
	struct err ignored = ERR_INIT;
	json_t *facts = NULL;

	if (json_load("facts", b->facts, strlen(b->facts), &facts, &ignored) < 0 ||
	    !json_is_object(facts)) {
		json_decref(facts);
		facts = json_object();
	}
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (**text_of(&copy, i))
			json_object_set_new(facts, texts[i].key, json_string(*text_of(&copy, i)));
	if (!streq(b->purpose, "import"))
		json_object_set_new(facts, "purpose", json_string(b->purpose));
	if (b->seed)
		json_object_set_new(facts, "seed", json_integer((json_int_t)b->seed));
	if (b->started)
		json_object_set_new(facts, "started", json_integer(b->started));
	if (json_array_size(findings) && !json_object_get(facts, "findings"))
		json_object_set(facts, "findings", findings);
	return facts;
}

int boot_facts_read(const json_t *facts, const char *path, struct db_boot *b, struct err *err)
{
	int64_t seed = 0, started = 0;
	const char *purpose = "import";

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		*text_of(b, i) = "";
		if (json_get_str(facts, path, texts[i].key, false, text_of(b, i), err) < 0)
			return -1;
	}
	if (json_get_str(facts, path, "purpose", false, &purpose, err) < 0 ||
	    json_get_int(facts, path, "seed", false, &seed, err) < 0 ||
	    json_get_int(facts, path, "started", false, &started, err) < 0)
		return -1;
	if (state_check(purpose, db_purposes, err) < 0)
		return err_wrap(err, "%s.purpose", path);
	b->purpose = purpose;
	b->seed = (uint64_t)seed;
	b->started = started;
	return 0;
}
