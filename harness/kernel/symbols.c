/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/kernel/symbols.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/sandbox.h"
#include "harness/util/fs.h"
#include "harness/util/mem.h"
#include "harness/util/proc.h"

#define FRAMES_MAX   500
#define NAME_MAX_LEN 128
#define NM_MAX	     ((size_t)64 << 20) /* a kernel with everything has 20 MiB of symbols */
#define LINES_MAX    ((size_t)1 << 20)
#define MEMORY_MAX   ((int64_t)8 << 30) /* address space: vmlinux is mapped whole */
#define DEADLINE_MS  60000

/* "name+0xoffset/0xsize" somewhere in the text. */
struct frame {
	const char *name;
	size_t len;
	unsigned long long offset, size;
	bool returns;		    /* the address is that behind a call */
	unsigned long long address; /* 0: not found */
	bool sure;		    /* the function found has the right size */
	unsigned int found;	    /* functions of this name */
	char *place;		    /* "mm/shmem.c:123"; NULL: unknown */
};

struct decoding {
	const struct str *text;
	struct frame frames[FRAMES_MAX];
	size_t n;
};

static void decoding_done(struct decoding *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->frames[i].place);
}

bool symbols_wanted(const char *config)
{
	return str_starts(config, "CONFIG_DEBUG_INFO=y\n") ||
	       strstr(config, "\nCONFIG_DEBUG_INFO=y\n");
}

/* ---- the text ----------------------------------------------------------------------------------
 */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Reads "+0x42/0x120" at p; NULL: it is none, else its end. */
static const char *read_offset(const char *p, struct frame *f)
{
	char *end;

	if (!isxdigit((unsigned char)p[3]))
		return NULL;
	f->offset = strtoull(p + 3, &end, 16);
	if (!str_starts(end, "/0x") || !isxdigit((unsigned char)end[3]))
		return NULL;
	f->size = strtoull(end + 3, &end, 16);
	return f->offset <= f->size ? end : NULL;
}

static const char *line_of(const char *begin, const char *p)
{
	while (p > begin && p[-1] != '\n')
		p--;
	return p;
}

/* An instruction pointer, in a trace or a title, is no return address. */
static bool is_return(const char *line, const char *name)
{
	static const char *const exact[] = {"RIP: ", "pc : ", "epc : ", "WARNING: ", "BUG: "};
	_cleanup_free_ char *before = xstrndup(line, (size_t)(name - line));

	for (size_t i = 0; i < ARRAY_SIZE(exact); i++)
		if (strstr(before, exact[i]))
			return false;
	return true;
}

/* The next frame at or behind p; *ret_end is its end. NULL: there is none. A module's function
 * ("f+0x1/0x2 [name]") is not in vmlinux. */
static const char *next_frame(const struct str *text, const char *p, struct frame *f,
			      const char **ret_end)
{
	for (const char *plus = p; (plus = strstr(plus, "+0x")); plus++) {
		const char *name = plus, *end;

		*f = (struct frame){.name = NULL};
		while (name > text->buf && in_name(name[-1]))
			name--;
		end = read_offset(plus, f);
		if (!end || name == plus || plus - name > NAME_MAX_LEN || str_starts(end, " ["))
			continue;
		f->name = name;
		f->len = (size_t)(plus - name);
		f->returns = f->offset > 0 && is_return(line_of(text->buf, name), name);
		*ret_end = end;
		return name;
	}
	return NULL;
}

static bool same_frame(const struct frame *a, const struct frame *b)
{
	return a->len == b->len && a->offset == b->offset && a->size == b->size &&
	       a->returns == b->returns && memcmp(a->name, b->name, a->len) == 0;
}

static struct frame *find_frame(struct decoding *d, const struct frame *f)
{
	for (size_t i = 0; i < d->n; i++)
		if (same_frame(&d->frames[i], f))
			return &d->frames[i];
	return NULL;
}

static void collect(struct decoding *d)
{
	const char *p = d->text->buf;
	struct frame f;

	while (d->n < FRAMES_MAX && next_frame(d->text, p, &f, &p))
		if (!find_frame(d, &f))
			d->frames[d->n++] = f;
}

static void compose(struct decoding *d, struct str *ret)
{
	const char *from = d->text->buf, *end;
	struct frame f;

	while (next_frame(d->text, from, &f, &end)) {
		const struct frame *known = find_frame(d, &f);

		str_addn(ret, from, (size_t)(end - from));
		if (known && known->place)
			str_addf(ret, " (%s)", known->place);
		from = end;
	}
	str_addn(ret, from, d->text->len - (size_t)(from - d->text->buf));
}

/* ---- binutils ----------------------------------------------------------------------------------
 */

/* Where binutils run: the folder of vmlinux at /src, an empty one at /out. */
struct bench {
	struct sandbox box;
	char *file; /* vmlinux as they see it */
	char *src;
	char out[32];
};

static void bench_done(struct bench *b)
{
	rmdir(b->out);
	free(b->file);
	free(b->src);
}

static int bench_open(struct bench *b, const char *vmlinux, bool off, struct err *err)
{
	const char *slash = strrchr(vmlinux, '/');

	snprintf(b->out, sizeof(b->out), "/tmp/lkp-symbols-XXXXXX");
	if (!mkdtemp(b->out))
		return err_errno(err, "cannot make a folder in /tmp");
	if (geteuid() == 0 && chown(b->out, SANDBOX_UID, SANDBOX_UID) < 0)
		return err_errno(err, "cannot hand over %s", b->out);
	b->src = xstrndup(vmlinux, (size_t)(slash - vmlinux));
	b->box = (struct sandbox){.src = b->src,
				  .out = b->out,
				  .off = off,
				  .memory = MEMORY_MAX,
				  .file_size = 1 << 20,
				  .processes = 64};
	b->file = xasprintf("%s/%s", sandbox_src(&b->box), slash + 1);
	return sandbox_check(&b->box, err);
}

static int bench_run(const struct bench *b, const char *const *command, const struct str *input,
		     size_t cap, struct str *out, struct err *err)
{
	_cleanup_strv_ char **argv = sandbox_argv(&b->box, command, geteuid() == 0);
	_cleanup_strv_ char **env = sandbox_env();
	_cleanup_str_ struct str errout = STR_INIT;
	struct proc_spec spec = {.argv = (const char *const *)argv,
				 .env = (const char *const *)env,
				 .cwd = "/",
				 .input = input ? input->buf : NULL,
				 .input_len = input ? input->len : 0,
				 .deadline_ms = DEADLINE_MS,
				 .out = out,
				 .errout = &errout,
				 .out_cap = cap};
	struct proc_result result;

	if (proc_run(&spec, &result, err) < 0)
		return err_wrap(err, "%s", command[0]);
	if (result.status == PROC_EXITED && result.code == 0)
		return 0;
	_cleanup_str_ struct str safe = STR_INIT;
	str_add_safe(&safe, errout.buf, strcspn(errout.buf, "\n"));
	return err_set(err, ERR_INFRA, "%s did not read %s (status %d): %s", command[0], b->file,
		       result.code, safe.buf);
}

/* ---- addresses ---------------------------------------------------------------------------------
 */

struct symbol {
	unsigned long long address;
	const char *name;
	size_t len;
};

/* "ffffffff81000000 T name" */
static bool read_symbol(const char *line, size_t n, struct symbol *ret)
{
	char *end;

	ret->address = strtoull(line, &end, 16);
	if (end == line || end + 3 >= line + n || end[0] != ' ' || end[2] != ' ' ||
	    !strchr("tTwW", end[1]))
		return false;
	ret->name = end + 3;
	ret->len = n - (size_t)(ret->name - line);
	return true;
}

static void match(struct decoding *d, const struct symbol *s, unsigned long long size)
{
	for (size_t i = 0; i < d->n; i++) {
		struct frame *f = &d->frames[i];

		if (f->len != s->len || memcmp(f->name, s->name, s->len) != 0)
			continue;
		f->found++;
		if (f->sure || (f->size != size && f->found > 1 && f->address))
			continue;
		f->address = s->address + f->offset - f->returns;
		f->sure = f->size == size;
	}
}

/* The symbols come sorted by address: a function's size is the way to the next one. */
static void find_addresses(struct decoding *d, const struct str *symbols)
{
	struct symbol last = {0}, s;
	bool have = false;

	for (const char *p = symbols->buf, *end; *p; p = *end ? end + 1 : end) {
		end = p + strcspn(p, "\n");
		if (!read_symbol(p, (size_t)(end - p), &s))
			continue;
		if (have)
			match(d, &last, s.address - last.address);
		last = s;
		have = true;
	}
	if (have)
		match(d, &last, 0);
	for (size_t i = 0; i < d->n; i++)
		if (d->frames[i].found > 1 && !d->frames[i].sure)
			d->frames[i].address = 0;
}

/* "/src/mm/shmem.c:123 (discriminator 3)" -> "mm/shmem.c:123"; NULL: it says nothing. */
static char *clean_place(const char *line, size_t n)
{
	static const char *const roots[] = {"/src/", "/out/", "./"};
	_cleanup_str_ struct str safe = STR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(roots); i++)
		if (str_starts(line, roots[i]) && n > strlen(roots[i])) {
			line += strlen(roots[i]);
			n -= strlen(roots[i]);
		}
	for (size_t i = 0; i < n; i++)
		if (line[i] == ' ')
			n = i;
	str_add_safe(&safe, line, n < 200 ? n : 200);
	if (!safe.len || *safe.buf == '?' || str_ends(safe.buf, ":?") || str_ends(safe.buf, ":0"))
		return NULL;
	return str_detach(&safe);
}

static int find_places(struct decoding *d, const struct bench *b, struct err *err)
{
	const char *const command[] = {"addr2line", "-e", b->file, NULL};
	_cleanup_str_ struct str input = STR_INIT;
	_cleanup_str_ struct str out = STR_INIT;
	const char *p;

	for (size_t i = 0; i < d->n; i++)
		if (d->frames[i].address)
			str_addf(&input, "0x%llx\n", d->frames[i].address);
	if (!input.len)
		return 0;
	if (bench_run(b, command, &input, LINES_MAX, &out, err) < 0)
		return -1;
	p = out.buf;
	for (size_t i = 0; i < d->n && *p; i++) {
		size_t n = strcspn(p, "\n");

		if (!d->frames[i].address)
			continue;
		d->frames[i].place = clean_place(p, n);
		p += n + (p[n] == '\n');
	}
	return 0;
}

int symbols_decode(const char *vmlinux, bool off, const struct str *text, struct str *ret,
		   struct err *err)
{
	_cleanup_(decoding_done) struct decoding d = {.text = text};
	_cleanup_(bench_done) struct bench b = {.file = NULL};
	_cleanup_str_ struct str symbols = STR_INIT;

	collect(&d);
	if (d.n) {
		if (bench_open(&b, vmlinux, off, err) < 0 ||
		    bench_run(&b, (const char *const[]){"nm", "-n", b.file, NULL}, NULL, NM_MAX,
			      &symbols, err) < 0)
			return -1;
		find_addresses(&d, &symbols);
		if (find_places(&d, &b, err) < 0)
			return -1;
	}
	compose(&d, ret);
	return 0;
}
