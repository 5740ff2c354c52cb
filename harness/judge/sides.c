/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/judge/sides.h"

#include "harness/util/mem.h"

#define SHOWN_MAX 6 /* names in a message */

/* What boots of a machine have in common; only boots of one condition are compared. */
struct condition {
	const char *machine, *toolbox_id, *accel;
	bool in_base, in_head;
	int64_t newest; /* row of the newest boot */
};

struct conditions {
	struct condition *v;
	size_t n, cap;
};

static void side_done(struct side *s)
{
	db_samples_free(s->all, s->n_all);
	db_outcomes_free(s->all_outcomes, s->n_all_outcomes);
	free(s->samples);
	free(s->outcomes);
}

void sides_done(struct sides *s)
{
	side_done(&s->base);
	side_done(&s->head);
	free(s->kconfig);
	*s = (struct sides){.kconfig = NULL};
}

static int load_side(struct db *db, const char *commit, const struct db_filter *filter,
		     struct side *s, struct err *err)
{
	if (db_samples(db, commit, filter, &s->all, &s->n_all, err) < 0 ||
	    db_outcomes(db, commit, filter, &s->all_outcomes, &s->n_all_outcomes, err) < 0)
		return -1;
	s->samples = xcalloc(s->n_all + 1, sizeof(void *));
	s->outcomes = xcalloc(s->n_all_outcomes + 1, sizeof(void *));
	return 0;
}

static bool has_kconfig(const struct side *s, const char *kconfig)
{
	for (size_t i = 0; i < s->n_all_outcomes; i++)
		if (streq(s->all_outcomes[i].kconfig, kconfig))
			return true;
	return false;
}

static bool in_list(char *const *list, const char *word)
{
	for (; list && *list; list++)
		if (streq(*list, word))
			return true;
	return false;
}

/* The kconfig that both sides have boots of; none: "" is kept and nothing will be in common. */
static int choose_kconfig(struct sides *s, struct err *err)
{
	_cleanup_strv_ char **common = NULL;
	_cleanup_str_ struct str list = STR_INIT;

	for (size_t i = 0; i < s->base.n_all_outcomes; i++) {
		const char *kconfig = s->base.all_outcomes[i].kconfig;
		if (!in_list(common, kconfig) && has_kconfig(&s->head, kconfig))
			strv_add(&common, kconfig);
	}
	for (char **word = common; word && *word && word - common < SHOWN_MAX; word++)
		str_addf(&list, "%s\"%s\"", word > common ? ", " : "", *word);
	if (strv_len(common) > 1)
		return err_set(
			err, ERR_USER,
			"both commits have boots with the kconfigs %s; choose one by --kconfig",
			list.buf);
	s->kconfig = xstrdup(common ? common[0] : "");
	return 0;
}

static bool usable(const struct sides *s, const char *kconfig, const char *purpose)
{
	return streq(kconfig, s->kconfig) && !streq(purpose, "noise");
}

static void note(struct conditions *c, const struct db_sample *sample, bool head)
{
	struct condition *found = NULL;

	for (size_t i = 0; i < c->n && !found; i++)
		if (streq(c->v[i].machine, sample->machine) &&
		    streq(c->v[i].toolbox_id, sample->toolbox_id) &&
		    streq(c->v[i].accel, sample->accel))
			found = &c->v[i];
	if (!found) {
		mem_grow(&c->v, &c->cap, c->n + 1, sizeof(*c->v));
		found = &c->v[c->n++];
		*found = (struct condition){.machine = sample->machine,
					    .toolbox_id = sample->toolbox_id,
					    .accel = sample->accel};
	}
	found->in_head |= head;
	found->in_base |= !head;
	if (sample->boot_id > found->newest)
		found->newest = sample->boot_id;
}

/* The newest condition of the machine that both sides have, or NULL. */
static const struct condition *choose(const struct conditions *c, const char *machine)
{
	const struct condition *best = NULL;

	for (size_t i = 0; i < c->n; i++) {
		const struct condition *one = &c->v[i];
		if (streq(one->machine, machine) && one->in_base && one->in_head &&
		    (!best || one->newest > best->newest))
			best = one;
	}
	return best;
}

static void pick_samples(struct sides *sides, struct side *s, const struct conditions *c)
{
	for (size_t i = 0; i < s->n_all; i++) {
		const struct db_sample *sample = &s->all[i];
		const struct condition *best = choose(c, sample->machine);
		if (best && usable(sides, sample->kconfig, sample->purpose) &&
		    streq(best->toolbox_id, sample->toolbox_id) &&
		    streq(best->accel, sample->accel))
			s->samples[s->n++] = sample;
	}
}

static void pick_outcomes(struct sides *sides, struct side *s, const struct conditions *c)
{
	for (size_t i = 0; i < s->n_all_outcomes; i++) {
		const struct db_outcome *o = &s->all_outcomes[i];
		const struct condition *best = choose(c, o->machine);
		/* A kernel that never came up on a machine leaves no condition to be in. */
		bool unknown = !best || (!*o->toolbox_id && !*o->accel);
		if (usable(sides, o->kconfig, o->purpose) &&
		    (unknown ||
		     (streq(best->toolbox_id, o->toolbox_id) && streq(best->accel, o->accel))))
			s->outcomes[s->n_outcomes++] = o;
	}
}

static void pick(struct sides *s)
{
	struct conditions c = {.n = 0};

	for (size_t i = 0; i < s->base.n_all; i++)
		if (usable(s, s->base.all[i].kconfig, s->base.all[i].purpose))
			note(&c, &s->base.all[i], false);
	for (size_t i = 0; i < s->head.n_all; i++)
		if (usable(s, s->head.all[i].kconfig, s->head.all[i].purpose))
			note(&c, &s->head.all[i], true);
	pick_samples(s, &s->base, &c);
	pick_samples(s, &s->head, &c);
	pick_outcomes(s, &s->base, &c);
	pick_outcomes(s, &s->head, &c);
	free(c.v);
}

int sides_load(struct db *db, const struct compare_spec *spec, struct sides *ret, struct err *err)
{
	struct sides s = {.kconfig = NULL};

	if (load_side(db, spec->base, &spec->filter, &s.base, err) < 0 ||
	    load_side(db, spec->head, &spec->filter, &s.head, err) < 0 ||
	    choose_kconfig(&s, err) < 0) {
		sides_done(&s);
		return -1;
	}
	pick(&s);
	*ret = s;
	return 0;
}

static void add_tests(struct str *text, const struct side *s)
{
	_cleanup_strv_ char **seen = NULL;

	for (size_t i = 0; i < s->n_all; i++) {
		const struct db_sample *one = &s->all[i];
		_cleanup_free_ char *test =
			xasprintf("%s/%s%s%s%s%.12s", one->machine, one->test_case,
				  *one->kconfig ? " kconfig " : "", one->kconfig,
				  *one->toolbox_id ? " toolbox " : "", one->toolbox_id);
		if (in_list(seen, test))
			continue;
		if (strv_len(seen) == SHOWN_MAX) {
			str_add(text, ", ...");
			return;
		}
		str_add(text, seen ? ", " : "");
		str_add_safe(text, test, strnlen(test, 120));
		strv_add(&seen, test);
	}
	if (!seen)
		str_addf(text, s->n_all_outcomes ? "no sample, only failures" : "nothing");
}

static void add_filter(struct str *text, const struct db_filter *filter)
{
	const struct {
		const char *option, *value;
	} given[] = {
		{"-m", filter->machine},
		{"-k", filter->kconfig},
		{"--case", filter->case_glob},
		{"--metric", filter->metric_glob},
	};
	const char *before = " that these options let through: ";

	for (size_t i = 0; i < ARRAY_SIZE(given); i++) {
		if (!given[i].value)
			continue;
		str_addf(text, "%s%s ", before, given[i].option);
		str_add_safe(text, given[i].value, strnlen(given[i].value, 100));
		before = " ";
	}
}

int sides_nothing(const struct sides *s, const struct compare_spec *spec, struct err *err)
{
	_cleanup_str_ struct str text = STR_INIT;

	str_addf(&text, "%.12s and %.12s have no test in common", spec->base, spec->head);
	add_filter(&text, &spec->filter);
	str_addf(&text, "\n  base %.12s has: ", spec->base);
	add_tests(&text, &s->base);
	str_addf(&text, "\n  head %.12s has: ", spec->head);
	add_tests(&text, &s->head);
	return err_set(err, ERR_USER, "%s", text.buf);
}

bool sides_equal_images(const struct sides *s)
{
	const char *image = s->base.n ? s->base.samples[0]->image_id : "";

	for (size_t i = 0; i < s->base.n; i++)
		if (!streq(s->base.samples[i]->image_id, image))
			return false;
	for (size_t i = 0; i < s->head.n; i++)
		if (!streq(s->head.samples[i]->image_id, image))
			return false;
	return *image && s->head.n;
}
