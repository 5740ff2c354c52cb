-- SPDX-License-Identifier: GPL-2.0-or-later
-- Version 2: what the kernel reported in a boot, several mails of a report, and how far the journal is in the rows.

ALTER TABLE boots ADD COLUMN kind TEXT NOT NULL DEFAULT '';

CREATE TABLE boot_findings (
	boot_id INTEGER NOT NULL REFERENCES boots,
	nr INTEGER NOT NULL,
	kind TEXT NOT NULL,
	title TEXT NOT NULL,
	frame TEXT NOT NULL,
	signature TEXT NOT NULL,
	fatal INTEGER NOT NULL CHECK (fatal IN (0, 1)),
	offset INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (boot_id, nr)
) STRICT, WITHOUT ROWID;
CREATE INDEX findings_by_signature ON boot_findings (signature);

-- nr 1 is a report's first mail.
CREATE TABLE mails_2 (
	id INTEGER PRIMARY KEY,
	report_id INTEGER NOT NULL REFERENCES reports,
	nr INTEGER NOT NULL CHECK (nr > 0),
	message_id TEXT NOT NULL UNIQUE,
	subject TEXT NOT NULL,
	sender TEXT NOT NULL,
	recipients TEXT NOT NULL,
	text TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('queued', 'approved', 'sending', 'sent', 'unsure', 'refused', 'dropped')),
	place TEXT NOT NULL,
	created INTEGER NOT NULL,
	UNIQUE (report_id, nr)
) STRICT;
INSERT INTO mails_2 (id, report_id, nr, message_id, subject, sender, recipients, text, state, place, created)
	SELECT id, report_id, 1, message_id, subject, sender, recipients, text, state, place, created FROM mails;
DROP TABLE mails;
ALTER TABLE mails_2 RENAME TO mails;
CREATE INDEX mails_by_state ON mails (state);

-- One row at most: all of the journal before this place is in the rows.
CREATE TABLE journal_state (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	file TEXT NOT NULL,
	offset INTEGER NOT NULL
) STRICT;
