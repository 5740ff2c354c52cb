/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness/mail/outbox.h"

#include <strings.h>

#include "db/mails.h"
#include "harness/mail/maildir.h"
#include "harness/mail/mime.h"
#include "harness/util/hash.h"
#include "harness/util/mem.h"
#include "harness/util/time.h"

#define RECIPIENTS_MAX 32

/* Who gets the mail: n_to of them in To, the others in Cc. The strings belong to the struct. */
struct recipients {
	struct mime_address list[RECIPIENTS_MAX];
	size_t n, n_to;
};

static void recipients_done(struct recipients *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free((char *)r->list[i].name);
		free((char *)r->list[i].email);
	}
	r->n = r->n_to = 0;
}

char *outbox_message_id(const struct config_mail *mail, const struct report *report,
			const struct report_row *row)
{
	_cleanup_free_ char *key =
		xasprintf("%s %s %s %s %s %s", report->base.id, report->head.id, row->machine,
			  report->kconfig, row->test_case, row->metric);
	_cleanup_free_ char *name = NULL, *email = NULL;
	char hex[HASH_HEX_LEN + 1];
	struct err bad = ERR_INIT;
	hash_bytes(key, strlen(key), hex);
	const char *host = "localhost.localdomain";
	if (mime_address_parse(mail->from, &name, &email, &bad) == 0)
		host = strrchr(email, '@') + 1;
	return xasprintf("<lkp.%.32s@%s>", hex, host);
}

bool outbox_allows(char *const *allow, const char *email)
{
	for (size_t i = 0; allow && allow[i]; i++) {
		const char *domain = strrchr(email, '@');
		const char *against = allow[i][0] == '@' ? domain : email;
		if (against && strcasecmp(against, allow[i]) == 0)
			return true;
	}
	return false;
}

static void drop(struct str *dropped, const char *email, const char *why)
{
	str_add(dropped, dropped->len ? ", " : "");
	str_add_safe(dropped, email, strnlen(email, 100));
	str_addf(dropped, " (%s)", why);
}

/* Takes the address in unless it is none, not allowed, or there already. */
static void add_recipient(struct recipients *r, const struct config_mail *mail, const char *name,
			  const char *email, struct str *dropped)
{
	struct err bad = ERR_INIT;
	if (mime_address_check(email, &bad) < 0) {
		drop(dropped, email, "no valid address");
		return;
	}
	if (!outbox_allows(mail->allow, email)) {
		drop(dropped, email, "not in mail.allow");
		return;
	}
	for (size_t i = 0; i < r->n; i++)
		if (strcasecmp(r->list[i].email, email) == 0)
			return;
	if (r->n == RECIPIENTS_MAX) {
		drop(dropped, email, "one too many");
		return;
	}
	r->list[r->n++] = (struct mime_address){xstrdup(name ? name : ""), xstrdup(email)};
}

static void add_list(struct recipients *r, const struct config *config,
		     const struct config_tree *tree, struct str *dropped)
{
	for (size_t i = 0; tree->report_to && tree->report_to[i]; i++) {
		_cleanup_free_ char *name = NULL, *email = NULL;
		struct err bad = ERR_INIT;
		if (mime_address_parse(tree->report_to[i], &name, &email, &bad) < 0)
			drop(dropped, tree->report_to[i], "no valid address");
		else
			add_recipient(r, &config->mail, name, email, dropped);
	}
}

static char *recipients_text(const struct recipients *r)
{
	_cleanup_str_ struct str s = STR_INIT;
	for (size_t i = 0; i < r->n; i++)
		str_addf(&s, "%s%s", i ? "," : "", r->list[i].email);
	return str_detach(&s);
}

/* RFC 2919: a list's identifier stands in angle brackets. */
static char *list_id(const struct config_mail *mail)
{
	const char *id = mail->list_id ? mail->list_id : "lkpd.localhost";
	return strchr(id, '<') ? xstrdup(id) : xasprintf("<%s>", id);
}

/* The message with its attachments. */
static int write_mail(const struct config *config, const struct letter *letter, const char *subject,
		      const struct recipients *r, const struct letter_attachment *samples,
		      struct str *ret, struct err *err)
{
	_cleanup_str_ struct str body = STR_INIT, script = STR_INIT;
	_cleanup_free_ char *name = NULL, *email = NULL;
	_cleanup_free_ char *list = list_id(&config->mail);
	_cleanup_free_ char *test =
		xasprintf("%s/%s", letter->row->machine, letter->row->test_case);
	const char *job = letter->job_text ? letter->job_text : "";
	if (letter_body(letter, &body, err) < 0 || letter_reproduce(letter, &script, err) < 0 ||
	    mime_address_parse(config->mail.from, &name, &email, err) < 0)
		return -1;
	const struct mime_header headers[] = {
		{"Auto-Submitted", "auto-generated"},
		{"List-Id", list},
		{"X-LKP-Commit", letter->report->head.id},
		{"X-LKP-Base", letter->report->base.id},
		{"X-LKP-Test", test},
		{"X-LKP-Verdict", letter->row->verdict},
	};
	const struct mime_part parts[] = {
		{"text/plain; charset=UTF-8", NULL, body.buf, body.len},
		{"text/x-shellscript; charset=UTF-8", "reproduce.sh", script.buf, script.len},
		{"application/json", "samples.json", samples->text, samples->n},
		{"text/x-yaml; charset=UTF-8", "job.yaml", job, strlen(job)},
		{"application/zstd", "config.zst", letter->config_zst.buf, letter->config_zst.len},
	};
	const struct mime_mail mail = {
		.from = {name, email},
		.to = r->list,
		.n_to = r->n_to,
		.cc = r->list + r->n_to,
		.n_cc = r->n - r->n_to,
		.subject = subject,
		.message_id = letter->message_id,
		.date = time_now(),
		.headers = headers,
		.n_headers = ARRAY_SIZE(headers),
		.parts = parts,
		.n_parts = ARRAY_SIZE(parts) - (letter->config_zst.len == 0),
	};
	return mime_write(&mail, ret, err);
}

int outbox_queue(struct db *db, const struct config *config, const struct config_tree *tree,
		 const struct letter *letter, const struct letter_attachment *samples,
		 const struct commit *culprit, int64_t *ret_id, struct str *ret_dropped,
		 struct err *err)
{
	_cleanup_(recipients_done) struct recipients r = {.n = 0};
	_cleanup_str_ struct str subject = STR_INIT, text = STR_INIT;
	if (culprit && tree->mail_authors)
		add_recipient(&r, &config->mail, culprit->author_name, culprit->author_email,
			      ret_dropped);
	r.n_to = r.n; /* the lists read along, unless the mail is theirs alone */
	add_list(&r, config, tree, ret_dropped);
	if (r.n_to == 0)
		r.n_to = r.n;
	if (r.n == 0) {
		*ret_id = 0;
		return 0;
	}
	if (letter_subject(letter, &subject, err) < 0 ||
	    write_mail(config, letter, subject.buf, &r, samples, &text, err) < 0)
		return err_wrap(err, "cannot compose the mail");
	_cleanup_free_ char *recipients = recipients_text(&r);
	struct db_mail row = {
		.report_id = letter->report_id,
		.message_id = letter->message_id,
		.subject = subject.buf,
		.sender = config->mail.from,
		.recipients = recipients,
		.text = text.buf,
		.state = (char *)"queued",
		.place = (char *)"",
		.created = time_now(),
	};
	bool is_new;
	return db_mail_put(db, &row, ret_id, &is_new, err);
}

static int deliver(struct db *db, const struct config *config, const struct db_mail *mail,
		   struct err *err)
{
	_cleanup_str_ struct str place = STR_INIT;
	if (maildir_deliver(config->mail.maildir, mail->message_id, mail->text, strlen(mail->text),
			    &place, err) < 0)
		return err_wrap(err, "mail %lld", (long long)mail->id);
	return db_mail_set_state(db, mail->id, "sent", place.buf, err);
}

int outbox_deliver(struct db *db, const struct config *config, struct err *err)
{
	struct db_mail *mails = NULL;
	size_t n = 0;
	int status = 0;
	if (db_mail_list(db, &mails, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && status == 0; i++)
		if (streq(mails[i].state, "queued"))
			status = deliver(db, config, &mails[i], err);
	db_mails_free(mails, n);
	return status;
}
