-- SPDX-License-Identifier: GPL-2.0-or-later
-- The first version of the store. Later versions are migrations of their own (db/db.c).
-- Names that every row would repeat are interned; the values of one run and metric are one blob (db/pack.h).

CREATE TABLE machines (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	last_block INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE cases (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE metrics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE commits (
	id INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 40),
	subject TEXT NOT NULL,
	author_name TEXT NOT NULL,
	author_email TEXT NOT NULL,
	date INTEGER NOT NULL
) STRICT;
-- A parent need not be a row of commits.
CREATE TABLE commit_parents (
	commit_id INTEGER NOT NULL REFERENCES commits,
	nr INTEGER NOT NULL,
	parent TEXT NOT NULL CHECK (length(parent) = 40),
	PRIMARY KEY (commit_id, nr)
) STRICT, WITHOUT ROWID;
CREATE INDEX commit_children ON commit_parents (parent);

CREATE TABLE kernels (
	id INTEGER PRIMARY KEY,
	commit_id INTEGER NOT NULL REFERENCES commits,
	tree TEXT NOT NULL,
	kconfig TEXT NOT NULL,
	toolchain TEXT NOT NULL,
	image_id TEXT NOT NULL,
	status TEXT NOT NULL,
	error TEXT NOT NULL,
	record TEXT NOT NULL,
	seconds REAL NOT NULL,
	UNIQUE (commit_id, tree, kconfig, toolchain)
) STRICT;

CREATE TABLE boots (
	id INTEGER PRIMARY KEY,
	commit_id INTEGER NOT NULL REFERENCES commits,
	machine_id INTEGER NOT NULL REFERENCES machines,
	boot TEXT NOT NULL,
	kconfig TEXT NOT NULL,
	image_id TEXT NOT NULL,
	toolbox_id TEXT NOT NULL,
	accel TEXT NOT NULL,
	clocksource TEXT NOT NULL,
	status TEXT NOT NULL,
	detail TEXT NOT NULL,
	folder TEXT NOT NULL,
	purpose TEXT NOT NULL CHECK (purpose IN ('judge', 'confirm', 'noise', 'import')),
	seed INTEGER NOT NULL,
	started INTEGER NOT NULL,
	seconds REAL NOT NULL,
	facts TEXT NOT NULL,
	-- Everything about a commit, and what differs between two.
	UNIQUE (commit_id, machine_id, boot)
) STRICT;

CREATE TABLE runs (
	id INTEGER PRIMARY KEY,
	boot_id INTEGER NOT NULL REFERENCES boots,
	case_id INTEGER NOT NULL REFERENCES cases,
	block INTEGER NOT NULL,
	status TEXT NOT NULL,
	detail TEXT NOT NULL,
	UNIQUE (boot_id, case_id)
) STRICT;
-- A test's history.
CREATE INDEX runs_of_case ON runs (case_id, boot_id);

CREATE TABLE samples (
	run_id INTEGER NOT NULL REFERENCES runs,
	metric_id INTEGER NOT NULL REFERENCES metrics,
	n INTEGER NOT NULL CHECK (n > 0),
	mean REAL NOT NULL,
	sd REAL NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (run_id, metric_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE reports (
	id INTEGER PRIMARY KEY,
	base TEXT NOT NULL CHECK (length(base) = 40),
	head TEXT NOT NULL CHECK (length(head) = 40),
	tree TEXT NOT NULL,
	machine TEXT NOT NULL,
	kconfig TEXT NOT NULL,
	test_case TEXT NOT NULL,
	metric TEXT NOT NULL,
	verdict TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('open', 'confirmed', 'fixed', 'invalid', 'noise', 'duplicate')),
	facts TEXT NOT NULL,
	created INTEGER NOT NULL,
	UNIQUE (base, head, machine, kconfig, test_case, metric)
) STRICT;
CREATE INDEX reports_of_head ON reports (head);

CREATE TABLE mails (
	id INTEGER PRIMARY KEY,
	report_id INTEGER NOT NULL UNIQUE REFERENCES reports,
	message_id TEXT NOT NULL UNIQUE,
	subject TEXT NOT NULL,
	sender TEXT NOT NULL,
	recipients TEXT NOT NULL,
	text TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('queued', 'approved', 'sending', 'sent', 'unsure', 'refused', 'dropped')),
	place TEXT NOT NULL,
	created INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_by_state ON mails (state);
