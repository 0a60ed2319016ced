BEGIN TRANSACTION;
CREATE TABLE artifacts (
	id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	path VARCHAR NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	origin VARCHAR NOT NULL, 
	content BLOB NOT NULL, 
	CONSTRAINT pk_artifacts PRIMARY KEY (id), 
	CONSTRAINT fk_artifacts_version_id_versions FOREIGN KEY(version_id) REFERENCES versions (id), 
	CONSTRAINT uq_artifacts_version_id UNIQUE (version_id, path)
);
INSERT INTO "artifacts" VALUES(1,1,'artifacts.path é 1','artifacts.sha256 é 1','artifacts.origin é 1',X'00FF01');
INSERT INTO "artifacts" VALUES(2,2,'artifacts.path é 2','artifacts.sha256 é 2','artifacts.origin é 2',X'00FF02');
CREATE TABLE checkpoints (
	project_id VARCHAR NOT NULL, 
	generation INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	state JSON NOT NULL, 
	updated_at FLOAT NOT NULL, 
	CONSTRAINT pk_checkpoints PRIMARY KEY (project_id)
);
INSERT INTO "checkpoints" VALUES('key-1',1,1,'{"n": 1}',1.5);
INSERT INTO "checkpoints" VALUES('key-2',2,2,'{"n": 2}',2.5);
CREATE TABLE entries (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	situation VARCHAR NOT NULL, 
	standing VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	status_reason VARCHAR NOT NULL, 
	status_at FLOAT, 
	origin VARCHAR NOT NULL, 
	pinned BOOLEAN NOT NULL, 
	hand_edited BOOLEAN NOT NULL, 
	verbatim VARCHAR NOT NULL, 
	summary_hidden BOOLEAN NOT NULL, 
	confirmations INTEGER NOT NULL, 
	first_seen FLOAT, 
	last_confirmed FLOAT, 
	superseded_by INTEGER, 
	promoted_from VARCHAR, 
	used INTEGER NOT NULL, 
	helped INTEGER NOT NULL, 
	wrong INTEGER NOT NULL, 
	injected INTEGER NOT NULL, 
	last_used FLOAT, 
	created_run VARCHAR, 
	updated_run VARCHAR, scope VARCHAR DEFAULT 'project' NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (id), 
	CONSTRAINT fk_entries_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id), 
	CONSTRAINT uq_entries_project_id UNIQUE (project_id, number)
);
INSERT INTO "entries" VALUES(1,'key-1',1,'entries.kind é 1','entries.text é 1','entries.situation é 1','entries.standing é 1','entries.status é 1','entries.status_reason é 1',1.5,'entries.origin é 1',1,1,'entries.verbatim é 1',1,1,1.5,1.5,1,'entries.promoted_from é 1',1,1,1,1,1.5,'entries.created_run é 1','entries.updated_run é 1','entries.scope é 1');
INSERT INTO "entries" VALUES(2,'key-2',2,'entries.kind é 2','entries.text é 2','entries.situation é 2','entries.standing é 2','entries.status é 2','entries.status_reason é 2',2.5,'entries.origin é 2',0,0,'entries.verbatim é 2',0,2,2.5,2.5,2,'entries.promoted_from é 2',2,2,2,2,2.5,'entries.created_run é 2','entries.updated_run é 2','entries.scope é 2');
CREATE TABLE entry_changes (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	operation VARCHAR NOT NULL, 
	"before" VARCHAR NOT NULL, 
	"after" VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	run_id VARCHAR, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_entry_changes PRIMARY KEY (id), 
	CONSTRAINT fk_entry_changes_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);
INSERT INTO "entry_changes" VALUES(1,'key-1',1,'entry_changes.operation é 1','entry_changes.before é 1','entry_changes.after é 1','entry_changes.reason é 1','entry_changes.run_id é 1',1.5);
INSERT INTO "entry_changes" VALUES(2,'key-2',2,'entry_changes.operation é 2','entry_changes.before é 2','entry_changes.after é 2','entry_changes.reason é 2','entry_changes.run_id é 2',2.5);
CREATE TABLE evidence (
	id INTEGER NOT NULL, 
	entry_id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	thread_id VARCHAR, 
	session_id VARCHAR NOT NULL, 
	agent VARCHAR NOT NULL, 
	item INTEGER NOT NULL, 
	uid VARCHAR, 
	item_kind VARCHAR NOT NULL, 
	quote VARCHAR NOT NULL, 
	quote_hash VARCHAR NOT NULL, 
	origin VARCHAR NOT NULL, 
	observed_at FLOAT, 
	run_id VARCHAR, member VARCHAR DEFAULT '' NOT NULL, 
	CONSTRAINT pk_evidence PRIMARY KEY (id), 
	CONSTRAINT fk_evidence_entry_id_entries FOREIGN KEY(entry_id) REFERENCES entries (id), 
	CONSTRAINT uq_evidence_entry_id UNIQUE (entry_id, thread_id, item, quote_hash)
);
INSERT INTO "evidence" VALUES(1,1,'evidence.project_id é 1','evidence.thread_id é 1','evidence.session_id é 1','evidence.agent é 1',1,'evidence.uid é 1','evidence.item_kind é 1','evidence.quote é 1','evidence.quote_hash é 1','evidence.origin é 1',1.5,'evidence.run_id é 1','evidence.member é 1');
INSERT INTO "evidence" VALUES(2,2,'evidence.project_id é 2','evidence.thread_id é 2','evidence.session_id é 2','evidence.agent é 2',2,'evidence.uid é 2','evidence.item_kind é 2','evidence.quote é 2','evidence.quote_hash é 2','evidence.origin é 2',2.5,'evidence.run_id é 2','evidence.member é 2');
CREATE TABLE held_operations (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	operation JSON NOT NULL, 
	sources JSON NOT NULL, 
	reason VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	offered INTEGER NOT NULL, 
	run_id VARCHAR, 
	at FLOAT NOT NULL, 
	decided_at FLOAT, 
	CONSTRAINT pk_held_operations PRIMARY KEY (id), 
	CONSTRAINT fk_held_operations_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id), 
	CONSTRAINT uq_held_operations_project_id UNIQUE (project_id, "key")
);
INSERT INTO "held_operations" VALUES(1,'key-1','held_operations.key é 1','{"n": 1}','{"n": 1}','held_operations.reason é 1','held_operations.state é 1',1,'held_operations.run_id é 1',1.5,1.5);
INSERT INTO "held_operations" VALUES(2,'key-2','held_operations.key é 2','{"n": 2}','{"n": 2}','held_operations.reason é 2','held_operations.state é 2',2,'held_operations.run_id é 2',2.5,2.5);
CREATE TABLE jobs (
	kind VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	project_id VARCHAR, 
	host VARCHAR, 
	state VARCHAR NOT NULL, 
	token VARCHAR, 
	fence INTEGER NOT NULL, 
	owner_host VARCHAR, 
	owner_boot VARCHAR, 
	owner_pid INTEGER, 
	owner_started FLOAT, 
	lease_until FLOAT, 
	attempts INTEGER NOT NULL, 
	crashes INTEGER NOT NULL, 
	retry_at FLOAT, 
	reason VARCHAR, 
	error VARCHAR, 
	source_hash VARCHAR, 
	done_hash VARCHAR, 
	extractor VARCHAR, 
	extractor_version INTEGER NOT NULL, 
	done_extractor VARCHAR, 
	done_extractor_version INTEGER NOT NULL, 
	generation INTEGER NOT NULL, 
	batch_id VARCHAR, 
	run_id VARCHAR, 
	priority FLOAT NOT NULL, 
	created_at FLOAT NOT NULL, 
	started_at FLOAT, 
	finished_at FLOAT, 
	CONSTRAINT pk_jobs PRIMARY KEY (kind, "key")
);
INSERT INTO "jobs" VALUES('key-1','key-1','jobs.project_id é 1','jobs.host é 1','jobs.state é 1','jobs.token é 1',1,'jobs.owner_host é 1','jobs.owner_boot é 1',1,1.5,1.5,1,1,1.5,'jobs.reason é 1','jobs.error é 1','jobs.source_hash é 1','jobs.done_hash é 1','jobs.extractor é 1',1,'jobs.done_extractor é 1',1,1,'jobs.batch_id é 1','jobs.run_id é 1',1.5,1.5,1.5,1.5);
INSERT INTO "jobs" VALUES('key-2','key-2','jobs.project_id é 2','jobs.host é 2','jobs.state é 2','jobs.token é 2',2,'jobs.owner_host é 2','jobs.owner_boot é 2',2,2.5,2.5,2,2,2.5,'jobs.reason é 2','jobs.error é 2','jobs.source_hash é 2','jobs.done_hash é 2','jobs.extractor é 2',2,'jobs.done_extractor é 2',2,2,'jobs.batch_id é 2','jobs.run_id é 2',2.5,2.5,2.5,2.5);
CREATE TABLE log_files (
	"key" VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	agent VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	thread_id VARCHAR, 
	size BIGINT NOT NULL, 
	mtime_ns BIGINT NOT NULL, 
	inode VARCHAR NOT NULL, 
	reader_version INTEGER NOT NULL, 
	error VARCHAR, 
	scanned_at FLOAT NOT NULL, 
	CONSTRAINT pk_log_files PRIMARY KEY ("key", host)
);
INSERT INTO "log_files" VALUES('key-1','key-1','log_files.agent é 1','log_files.path é 1','log_files.thread_id é 1',1,1,'log_files.inode é 1',1,'log_files.error é 1',1.5);
INSERT INTO "log_files" VALUES('key-2','key-2','log_files.agent é 2','log_files.path é 2','log_files.thread_id é 2',2,2,'log_files.inode é 2',2,'log_files.error é 2',2.5);
CREATE TABLE memory_fates (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	thread_id VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	stage INTEGER NOT NULL, 
	reason VARCHAR NOT NULL, 
	entry INTEGER, 
	offered INTEGER NOT NULL, 
	run_id VARCHAR, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_memory_fates PRIMARY KEY (id), 
	CONSTRAINT uq_memory_fates_thread_id UNIQUE (thread_id, hash)
);
INSERT INTO "memory_fates" VALUES(1,'memory_fates.project_id é 1','memory_fates.thread_id é 1','memory_fates.hash é 1','memory_fates.kind é 1','memory_fates.text é 1','memory_fates.state é 1',1,'memory_fates.reason é 1',1,1,'memory_fates.run_id é 1',1.5);
INSERT INTO "memory_fates" VALUES(2,'memory_fates.project_id é 2','memory_fates.thread_id é 2','memory_fates.hash é 2','memory_fates.kind é 2','memory_fates.text é 2','memory_fates.state é 2',2,'memory_fates.reason é 2',2,2,'memory_fates.run_id é 2',2.5);
CREATE TABLE model_batches (
	id VARCHAR NOT NULL, 
	batch_id VARCHAR, 
	endpoint VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	body_hash VARCHAR NOT NULL, 
	custom_ids JSON NOT NULL, 
	state VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	submitted_at FLOAT, 
	ended_at FLOAT, 
	detail VARCHAR NOT NULL, 
	CONSTRAINT pk_model_batches PRIMARY KEY (id)
);
INSERT INTO "model_batches" VALUES('key-1','model_batches.batch_id é 1','model_batches.endpoint é 1','model_batches.model é 1','model_batches.body_hash é 1','{"n": 1}','model_batches.state é 1',1.5,1.5,1.5,'model_batches.detail é 1');
INSERT INTO "model_batches" VALUES('key-2','model_batches.batch_id é 2','model_batches.endpoint é 2','model_batches.model é 2','model_batches.body_hash é 2','{"n": 2}','model_batches.state é 2',2.5,2.5,2.5,'model_batches.detail é 2');
CREATE TABLE model_calls (
	id INTEGER NOT NULL, 
	run_id VARCHAR, 
	at FLOAT NOT NULL, 
	role VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	endpoint VARCHAR NOT NULL, 
	thread_id VARCHAR, 
	project_id VARCHAR, 
	stage VARCHAR NOT NULL, 
	input_tokens INTEGER, 
	output_tokens INTEGER, 
	cache_write_tokens INTEGER, 
	cache_read_tokens INTEGER, 
	cost FLOAT, 
	latency_s FLOAT, 
	outcome VARCHAR NOT NULL, 
	error VARCHAR, 
	request_id VARCHAR, 
	batch_id VARCHAR, 
	CONSTRAINT pk_model_calls PRIMARY KEY (id)
);
INSERT INTO "model_calls" VALUES(1,'model_calls.run_id é 1',1.5,'model_calls.role é 1','model_calls.model é 1','model_calls.endpoint é 1','model_calls.thread_id é 1','model_calls.project_id é 1','model_calls.stage é 1',1,1,1,1,1.5,1.5,'model_calls.outcome é 1','model_calls.error é 1','model_calls.request_id é 1','model_calls.batch_id é 1');
INSERT INTO "model_calls" VALUES(2,'model_calls.run_id é 2',2.5,'model_calls.role é 2','model_calls.model é 2','model_calls.endpoint é 2','model_calls.thread_id é 2','model_calls.project_id é 2','model_calls.stage é 2',2,2,2,2,2.5,2.5,'model_calls.outcome é 2','model_calls.error é 2','model_calls.request_id é 2','model_calls.batch_id é 2');
CREATE TABLE notes (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	anchor VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	text VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (id), 
	CONSTRAINT fk_notes_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);
INSERT INTO "notes" VALUES(1,'key-1','notes.path é 1','notes.anchor é 1',1,'notes.text é 1',1.5);
INSERT INTO "notes" VALUES(2,'key-2','notes.path é 2','notes.anchor é 2',2,'notes.text é 2',2.5);
CREATE TABLE project_changes (
	id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	project_id VARCHAR NOT NULL, 
	other_id VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	data JSON NOT NULL, 
	created_at FLOAT NOT NULL, 
	ended_at FLOAT, 
	CONSTRAINT pk_project_changes PRIMARY KEY (id)
);
INSERT INTO "project_changes" VALUES(1,'project_changes.kind é 1','project_changes.state é 1','project_changes.project_id é 1','project_changes.other_id é 1','project_changes.reason é 1','project_changes.by é 1','{"n": 1}',1.5,1.5);
INSERT INTO "project_changes" VALUES(2,'project_changes.kind é 2','project_changes.state é 2','project_changes.project_id é 2','project_changes.other_id é 2','project_changes.reason é 2','project_changes.by é 2','{"n": 2}',2.5,2.5);
CREATE TABLE project_keys (
	kind VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	project_id VARCHAR NOT NULL, 
	detail JSON NOT NULL, 
	seen_at FLOAT NOT NULL, 
	CONSTRAINT pk_project_keys PRIMARY KEY (kind, value, host, project_id)
);
INSERT INTO "project_keys" VALUES('key-1','key-1','key-1','key-1','{"n": 1}',1.5);
INSERT INTO "project_keys" VALUES('key-2','key-2','key-2','key-2','{"n": 2}',2.5);
CREATE TABLE "projects" (
	id VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	slug VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	root VARCHAR, 
	remote VARCHAR, 
	user_level BOOLEAN NOT NULL, 
	visibility VARCHAR NOT NULL, 
	owner VARCHAR, 
	excluded BOOLEAN NOT NULL, 
	input_generation INTEGER NOT NULL, 
	consolidated_generation INTEGER NOT NULL, 
	fence INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	next_entry INTEGER NOT NULL, 
	created_at FLOAT NOT NULL, 
	last_activity FLOAT, 
	named BOOLEAN NOT NULL, 
	joined_to VARCHAR, 
	CONSTRAINT pk_projects PRIMARY KEY (id), 
	CONSTRAINT uq_projects_key UNIQUE ("key")
);
INSERT INTO "projects" VALUES('key-1','projects.key é 1','projects.slug é 1','projects.name é 1','projects.root é 1','projects.remote é 1',1,'projects.visibility é 1','projects.owner é 1',1,1,1,1,1,1,1.5,1.5,1,'projects.joined_to é 1');
INSERT INTO "projects" VALUES('key-2','projects.key é 2','projects.slug é 2','projects.name é 2','projects.root é 2','projects.remote é 2',0,'projects.visibility é 2','projects.owner é 2',0,2,2,2,2,2,2.5,2.5,0,'projects.joined_to é 2');
CREATE TABLE runs (
	id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	pid INTEGER NOT NULL, 
	owner_boot VARCHAR NOT NULL, 
	owner_started FLOAT NOT NULL, 
	extractor VARCHAR NOT NULL, 
	flow_run_id VARCHAR, 
	started_at FLOAT NOT NULL, 
	finished_at FLOAT, 
	counts JSON NOT NULL, 
	reasons JSON NOT NULL, 
	redactions JSON NOT NULL, 
	projects JSON NOT NULL, 
	message VARCHAR NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('key-1','runs.kind é 1','runs.status é 1','runs.host é 1',1,'runs.owner_boot é 1',1.5,'runs.extractor é 1','runs.flow_run_id é 1',1.5,1.5,'{"n": 1}','{"n": 1}','{"n": 1}','{"n": 1}','runs.message é 1');
INSERT INTO "runs" VALUES('key-2','runs.kind é 2','runs.status é 2','runs.host é 2',2,'runs.owner_boot é 2',2.5,'runs.extractor é 2','runs.flow_run_id é 2',2.5,2.5,'{"n": 2}','{"n": 2}','{"n": 2}','{"n": 2}','runs.message é 2');
CREATE TABLE settings (
	name VARCHAR NOT NULL, 
	value JSON NOT NULL, 
	updated_at FLOAT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('key-1','{"n": 1}',1.5);
INSERT INTO "settings" VALUES('key-2','{"n": 2}',2.5);
CREATE TABLE skills (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	description VARCHAR NOT NULL, 
	body VARCHAR NOT NULL, 
	entries JSON NOT NULL, 
	status VARCHAR NOT NULL, 
	hand_edited BOOLEAN NOT NULL, 
	verbatim VARCHAR NOT NULL, 
	used INTEGER NOT NULL, 
	created_run VARCHAR, 
	updated_run VARCHAR, 
	updated_at FLOAT NOT NULL, 
	CONSTRAINT pk_skills PRIMARY KEY (id), 
	CONSTRAINT fk_skills_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id), 
	CONSTRAINT uq_skills_project_id UNIQUE (project_id, name)
);
INSERT INTO "skills" VALUES(1,'key-1','skills.name é 1','skills.description é 1','skills.body é 1','{"n": 1}','skills.status é 1',1,'skills.verbatim é 1',1,'skills.created_run é 1','skills.updated_run é 1',1.5);
INSERT INTO "skills" VALUES(2,'key-2','skills.name é 2','skills.description é 2','skills.body é 2','{"n": 2}','skills.status é 2',0,'skills.verbatim é 2',2,'skills.created_run é 2','skills.updated_run é 2',2.5);
CREATE TABLE slowwave_alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT slowwave_alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "slowwave_alembic_version" VALUES('0003');
CREATE TABLE stage_one_outputs (
	thread_id VARCHAR NOT NULL, 
	project_id VARCHAR NOT NULL, 
	source_hash VARCHAR NOT NULL, 
	extractor VARCHAR NOT NULL, 
	extractor_version INTEGER NOT NULL, 
	outcome VARCHAR NOT NULL, 
	slug VARCHAR NOT NULL, 
	rollout_summary VARCHAR NOT NULL, 
	raw_memory VARCHAR NOT NULL, 
	memories JSON NOT NULL, 
	quarantined JSON NOT NULL, 
	rejected JSON NOT NULL, 
	redactions JSON NOT NULL, 
	session_started FLOAT, 
	session_last_activity FLOAT, 
	generated_at FLOAT NOT NULL, 
	run_id VARCHAR, 
	pending BOOLEAN NOT NULL, open_work JSON DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_stage_one_outputs PRIMARY KEY (thread_id), 
	CONSTRAINT fk_stage_one_outputs_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id), 
	CONSTRAINT fk_stage_one_outputs_thread_id_threads FOREIGN KEY(thread_id) REFERENCES threads (id)
);
INSERT INTO "stage_one_outputs" VALUES('key-1','key-1','stage_one_outputs.source_hash é 1','stage_one_outputs.extractor é 1',1,'stage_one_outputs.outcome é 1','stage_one_outputs.slug é 1','stage_one_outputs.rollout_summary é 1','stage_one_outputs.raw_memory é 1','{"n": 1}','{"n": 1}','{"n": 1}','{"n": 1}',1.5,1.5,1.5,'stage_one_outputs.run_id é 1',1,'{"n": 1}');
INSERT INTO "stage_one_outputs" VALUES('key-2','key-2','stage_one_outputs.source_hash é 2','stage_one_outputs.extractor é 2',2,'stage_one_outputs.outcome é 2','stage_one_outputs.slug é 2','stage_one_outputs.rollout_summary é 2','stage_one_outputs.raw_memory é 2','{"n": 2}','{"n": 2}','{"n": 2}','{"n": 2}',2.5,2.5,2.5,'stage_one_outputs.run_id é 2',0,'{"n": 2}');
CREATE TABLE threads (
	id VARCHAR NOT NULL, 
	agent VARCHAR NOT NULL, 
	session_id VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	log_key VARCHAR NOT NULL, 
	project_id VARCHAR, 
	parent_session_id VARCHAR, 
	cwd VARCHAR, 
	branch VARCHAR, 
	kind VARCHAR NOT NULL, 
	title VARCHAR, 
	model VARCHAR, 
	started_at FLOAT, 
	last_activity FLOAT, 
	size BIGINT NOT NULL, 
	content_hash VARCHAR NOT NULL, 
	items JSON NOT NULL, 
	dropped JSON NOT NULL, 
	unknown JSON NOT NULL, 
	turns_by_cwd JSON NOT NULL, 
	damaged INTEGER NOT NULL, 
	ignored BOOLEAN NOT NULL, 
	forgotten BOOLEAN NOT NULL, 
	missing BOOLEAN NOT NULL, 
	reason VARCHAR NOT NULL, 
	reason_detail VARCHAR NOT NULL, 
	reason_at FLOAT, 
	scanned_at FLOAT NOT NULL, 
	CONSTRAINT pk_threads PRIMARY KEY (id), 
	CONSTRAINT fk_threads_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id)
);
INSERT INTO "threads" VALUES('key-1','threads.agent é 1','threads.session_id é 1','threads.host é 1','threads.path é 1','threads.log_key é 1','key-1','threads.parent_session_id é 1','threads.cwd é 1','threads.branch é 1','threads.kind é 1','threads.title é 1','threads.model é 1',1.5,1.5,1,'threads.content_hash é 1','{"n": 1}','{"n": 1}','{"n": 1}','{"n": 1}',1,1,1,1,'threads.reason é 1','threads.reason_detail é 1',1.5,1.5);
INSERT INTO "threads" VALUES('key-2','threads.agent é 2','threads.session_id é 2','threads.host é 2','threads.path é 2','threads.log_key é 2','key-2','threads.parent_session_id é 2','threads.cwd é 2','threads.branch é 2','threads.kind é 2','threads.title é 2','threads.model é 2',2.5,2.5,2,'threads.content_hash é 2','{"n": 2}','{"n": 2}','{"n": 2}','{"n": 2}',2,0,0,0,'threads.reason é 2','threads.reason_detail é 2',2.5,2.5);
CREATE TABLE tombstones (
	hash VARCHAR NOT NULL, 
	project_id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	created_at FLOAT NOT NULL, 
	reason VARCHAR NOT NULL, 
	CONSTRAINT pk_tombstones PRIMARY KEY (hash, project_id)
);
INSERT INTO "tombstones" VALUES('key-1','key-1','tombstones.kind é 1',1.5,'tombstones.reason é 1');
INSERT INTO "tombstones" VALUES('key-2','key-2','tombstones.kind é 2',2.5,'tombstones.reason é 2');
CREATE TABLE versions (
	id INTEGER NOT NULL, 
	project_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	fence INTEGER NOT NULL, 
	generation INTEGER NOT NULL, 
	state BLOB NOT NULL, 
	run_id VARCHAR, 
	cause VARCHAR NOT NULL, 
	note VARCHAR NOT NULL, 
	published_at FLOAT NOT NULL, 
	pruned BOOLEAN NOT NULL, 
	CONSTRAINT pk_versions PRIMARY KEY (id), 
	CONSTRAINT fk_versions_project_id_projects FOREIGN KEY(project_id) REFERENCES projects (id), 
	CONSTRAINT uq_versions_project_id UNIQUE (project_id, number)
);
INSERT INTO "versions" VALUES(1,'key-1',1,'versions.digest é 1',1,1,X'00FF01','versions.run_id é 1','versions.cause é 1','versions.note é 1',1.5,1);
INSERT INTO "versions" VALUES(2,'key-2',2,'versions.digest é 2',2,2,X'00FF02','versions.run_id é 2','versions.cause é 2','versions.note é 2',2.5,0);
CREATE INDEX ix_jobs_kind_state ON jobs (kind, state, retry_at);
CREATE INDEX ix_jobs_project ON jobs (project_id);
CREATE INDEX ix_log_files_thread_id ON log_files (thread_id);
CREATE INDEX ix_model_batches_batch_id ON model_batches (batch_id);
CREATE INDEX ix_model_calls_at ON model_calls (at);
CREATE INDEX ix_model_calls_run_id ON model_calls (run_id);
CREATE INDEX ix_entries_project_id ON entries (project_id);
CREATE INDEX ix_notes_project_id ON notes (project_id);
CREATE INDEX ix_skills_project_id ON skills (project_id);
CREATE INDEX ix_threads_agent ON threads (agent);
CREATE INDEX ix_threads_last_activity ON threads (last_activity);
CREATE INDEX ix_threads_project_id ON threads (project_id);
CREATE INDEX ix_versions_project_id ON versions (project_id);
CREATE INDEX ix_artifacts_version_id ON artifacts (version_id);
CREATE INDEX ix_evidence_entry_id ON evidence (entry_id);
CREATE INDEX ix_evidence_project_id ON evidence (project_id);
CREATE INDEX ix_evidence_thread_id ON evidence (thread_id);
CREATE INDEX ix_stage_one_outputs_newest ON stage_one_outputs (project_id, session_last_activity);
CREATE INDEX ix_stage_one_outputs_pending ON stage_one_outputs (project_id, pending);
CREATE INDEX ix_project_keys_project_id ON project_keys (project_id);
CREATE INDEX ix_project_changes_pair ON project_changes (project_id, other_id);
CREATE INDEX ix_projects_joined_to ON projects (joined_to);
CREATE INDEX ix_entry_changes_entry ON entry_changes (project_id, number);
CREATE INDEX ix_memory_fates_state ON memory_fates (project_id, state);
CREATE INDEX ix_held_operations_state ON held_operations (project_id, state);
COMMIT;
