-- Written by "npm run generate".

create table "activity_hour_horizon" (
  "counted_until" timestamptz not null,
  primary key ("counted_until")
);
CREATE UNIQUE INDEX activity_hour_horizon_one ON activity_hour_horizon ((true));

create table "capec" (
  "id" int not null,
  "title" text not null,
  "abstraction" text not null,
  "likelihood" text null,
  "severity" text null,
  "cwes" bigint[] not null default '{}',
  "search_text" text generated always as (id::text || E'\n' || title) stored not null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], ''::text)) stored not null,
  primary key ("id")
);
CREATE INDEX capec_document ON capec USING gin (document);

create table "category" (
  "id" int not null,
  "name" text not null,
  primary key ("id")
);
alter table "category" add constraint "category_name_key" unique ("name");

create table "component_icon" (
  "slug" text not null,
  "name" text not null,
  "keywords" text not null default '',
  "svg" text not null,
  primary key ("slug")
);

create table "cwe" (
  "id" int not null,
  "title" text not null,
  "abstraction" text not null,
  "status" text not null,
  "search_text" text generated always as (id::text || E'\n' || title) stored not null,
  "parents" bigint[] not null default '{}',
  "capecs" bigint[] not null default '{}',
  "document" tsvector generated always as (search_document(title, '{}'::text[], ''::text)) stored not null,
  primary key ("id")
);
CREATE INDEX cwe_document ON cwe USING gin (document);

create table "installed_token" (
  "hash" bytea not null,
  "installed_at" timestamptz not null default clock_timestamp(),
  primary key ("hash")
);

create table "library_release" (
  "digest" text not null,
  "loaded_at" timestamptz not null default clock_timestamp(),
  primary key ("digest")
);

create table "organization" (
  "id" bigint generated always as identity not null primary key,
  "name" text not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "token_max_days" int null,
  "token_scopes_required" boolean not null default false,
  "refresh_lease_until" timestamptz null,
  "refresh_fence" int not null default 0,
  "refresh_queued_until" timestamptz null,
  "refresh_completed_at" timestamptz null
);
alter table "organization" add constraint "organization_name_key" unique ("name");

create table "library_change" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "changed_at" timestamptz not null default clock_timestamp()
);
create index "library_change_organization" on "library_change" ("organization_id");

create table "id_counter" (
  "organization_id" bigint not null,
  "kind" text not null,
  "value" int not null,
  "unused" int4multirange not null default '{}',
  primary key ("organization_id", "kind")
);

create table "glossary_term" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'GT' ELSE 'CGT' END || number::text) stored not null,
  "term" text not null,
  "definition" text not null,
  "document" tsvector generated always as (search_document(term, '{}'::text[], definition)) stored not null
);
CREATE UNIQUE INDEX glossary_term_item_id ON glossary_term (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX glossary_term_document ON glossary_term USING gin (document);

create table "feature_flag" (
  "organization_id" bigint not null,
  "name" text not null,
  primary key ("organization_id", "name")
);
CREATE TRIGGER note_insert AFTER INSERT ON feature_flag
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_feature_flag();
CREATE TRIGGER note_update AFTER UPDATE ON feature_flag
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_feature_flag();
CREATE TRIGGER note_delete AFTER DELETE ON feature_flag
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_feature_flag();

create table "countermeasure" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'T' ELSE 'CT' END || number::text) stored not null
);
CREATE UNIQUE INDEX countermeasure_item_id ON countermeasure (item_id, organization_id) NULLS NOT DISTINCT;

create table "how_to" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'I' ELSE 'CI' END || number::text) stored not null,
  "countermeasure_id" bigint not null
);
CREATE UNIQUE INDEX how_to_item_id ON how_to (item_id, organization_id) NULLS NOT DISTINCT;
create index "how_to_countermeasure" on "how_to" ("countermeasure_id");

create table "connector" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "kind" text not null,
  "name" text not null,
  "system" text not null,
  "params" jsonb not null,
  "sealed_secrets" text not null,
  "inaccessible" boolean not null default false
);
create index "connector_list" on "connector" ("organization_id", "kind", "id");
alter table "connector" add constraint "connector_kind_check" check ("kind" in ('analysis', 'issue_tracker'));

create table "component_question" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'AQ' ELSE 'CAQ' END || number::text) stored not null,
  "text" text not null,
  "description" text not null default '',
  "question_type" text not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
CREATE UNIQUE INDEX component_question_item_id ON component_question (item_id, organization_id) NULLS NOT DISTINCT;
alter table "component_question" add constraint "component_question_question_type_check" check ("question_type" in ('MC', 'SC'));

create table "component" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'SC' ELSE 'CSC' END || number::text) stored not null
);
CREATE UNIQUE INDEX component_item_id ON component (item_id, organization_id) NULLS NOT DISTINCT;

create table "catalog_import" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "kind" text not null,
  "name" text not null,
  "version" text not null,
  "licence" text not null,
  "entries" int not null,
  "imported_at" timestamptz not null default clock_timestamp()
);
create index "catalog_import_organization" on "catalog_import" ("organization_id");
CREATE UNIQUE INDEX catalog_import_source ON catalog_import (kind, organization_id, name, version) NULLS NOT DISTINCT;

create table "attribute" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'AT' ELSE 'CAT' END || number::text) stored not null,
  "parent_id" bigint null,
  "ancestors" bigint[] not null default '{}',
  "depth" integer generated always as (cardinality(ancestors) + 1) stored not null,
  "name" text not null,
  "description" text not null default '',
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "document" tsvector generated always as (search_document(name, '{}'::text[], description)) stored not null
);
CREATE INDEX attribute_document ON attribute USING gin (document);
CREATE UNIQUE INDEX attribute_item_id ON attribute (item_id, organization_id) NULLS NOT DISTINCT;
create index "attribute_ancestors" on "attribute" using gin ("ancestors");
create index "attribute_order" on "attribute" ("organization_id", "number");
create index "attribute_parent" on "attribute" ("parent_id");
alter table "attribute" add constraint "attribute_check" check (parent_id IS NOT DISTINCT FROM ancestors[cardinality(ancestors)]);
CREATE TRIGGER note_insert AFTER INSERT ON attribute
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute();
CREATE TRIGGER note_update AFTER UPDATE ON attribute
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute();
CREATE TRIGGER note_delete AFTER DELETE ON attribute
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute();

create table "component_answer" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'AA' ELSE 'CAA' END || number::text) stored not null,
  "question_id" bigint not null,
  "text" text not null,
  "description" text not null default '',
  "attribute_id" bigint null,
  "ordinal" int not null
);
CREATE UNIQUE INDEX component_answer_item_id ON component_answer (item_id, organization_id) NULLS NOT DISTINCT;
create index "component_answer_attribute" on "component_answer" ("attribute_id");
create index "component_answer_question" on "component_answer" ("question_id", "ordinal");

create table "attribute_switch" (
  "organization_id" bigint not null,
  "attribute_id" bigint not null,
  "active" boolean not null,
  "updated_at" timestamptz not null default statement_timestamp(),
  primary key ("organization_id", "attribute_id")
);
CREATE TRIGGER note_insert AFTER INSERT ON attribute_switch
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute_switch();
CREATE TRIGGER note_update AFTER UPDATE ON attribute_switch
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute_switch();
CREATE TRIGGER note_delete AFTER DELETE ON attribute_switch
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_attribute_switch();

create table "additional_requirement" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'TA' ELSE 'CTA' END || number::text) stored not null,
  "countermeasure_id" bigint not null
);
CREATE UNIQUE INDEX additional_requirement_item_id ON additional_requirement (item_id, organization_id) NULLS NOT DISTINCT;
create index "additional_requirement_countermeasure" on "additional_requirement" ("countermeasure_id");

create table "activity_hour" (
  "organization_id" bigint not null,
  "hour" timestamptz not null,
  "name" text not null,
  "log_level" text not null,
  "total" int not null,
  primary key ("organization_id", "hour", "name", "log_level")
);

create table "phase" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'X' ELSE 'CX' END || number::text) stored not null,
  "name" text not null,
  "slug" text not null,
  "description" text not null default '',
  "tip" text not null default '',
  "ordinal" int not null,
  "active" boolean not null default true,
  "retain" boolean not null default false
);
CREATE UNIQUE INDEX phase_item_id ON phase (item_id, organization_id) NULLS NOT DISTINCT;

create table "profile" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'P' ELSE 'CP' END || number::text) stored not null,
  "name" text not null,
  "description" text not null default '',
  "answers" bigint[] not null default '{}',
  "is_default" boolean not null default false,
  "logo_url" text null,
  "active" boolean not null default true
);
CREATE UNIQUE INDEX profile_item_id ON profile (item_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX profile_default ON profile (organization_id) NULLS NOT DISTINCT WHERE is_default;

create table "rate_limit" (
  "key" varchar(255) not null,
  "points" int not null default 0,
  "expire" bigint null,
  primary key ("key")
);

create table "regulation" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'REG' ELSE 'CREG' END || number::text) stored not null,
  "name" text not null,
  "slug" text not null,
  "version" text not null default '',
  "url" text not null default '',
  "document" tsvector generated always as (search_document(name, ARRAY[version], ''::text)) stored not null
);
CREATE UNIQUE INDEX regulation_item_id ON regulation (item_id, organization_id) NULLS NOT DISTINCT;

create table "regulation_section" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'RS' ELSE 'CRS' END || number::text) stored not null,
  "regulation_id" bigint not null,
  "code" text not null,
  "title" text not null,
  "ordinal" int not null,
  "level" int null,
  "active" boolean not null default true,
  "partial_mappings_complete" boolean not null default false,
  "document" tsvector generated always as (search_document(title, ARRAY[code, regexp_replace(code, '^[A-Za-z]+', '')], ''::text)) stored not null
);
CREATE UNIQUE INDEX regulation_section_item_id ON regulation_section (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX regulation_section_document ON regulation_section USING gin (document);
create index "regulation_section_regulation" on "regulation_section" ("regulation_id");

create table "regulation_section_countermeasure" (
  "section_id" bigint not null,
  "countermeasure_id" bigint not null,
  "strength" text not null default 'full',
  "why" text not null default '',
  primary key ("section_id", "countermeasure_id")
);
create index "regulation_section_countermeasure_item" on "regulation_section_countermeasure" ("countermeasure_id");
alter table "regulation_section_countermeasure" add constraint "regulation_section_countermeasure_strength" check (strength IN ('full', 'partial', 'supports'));

create table "release_change" (
  "id" bigint generated always as identity not null primary key,
  "kind" text not null,
  "identity" bigint not null,
  "item_id" text not null,
  "title" text not null,
  "field" text not null,
  "from_value" jsonb not null,
  "to_value" jsonb not null,
  "revision" int not null,
  "released_at" timestamptz not null default statement_timestamp()
);
create index "release_change_item" on "release_change" ("kind", "identity", "field");

create table "risk_policy" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "name" text not null,
  "description" text not null default '',
  "filters" jsonb not null default '{}',
  "conditions" jsonb not null default '{}',
  "is_org_default" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
CREATE UNIQUE INDEX risk_policy_default ON risk_policy (organization_id) WHERE is_org_default;
CREATE UNIQUE INDEX risk_policy_name ON risk_policy (organization_id, lower(name));

create table "business_unit" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "name" text not null,
  "slug" text not null,
  "all_users" boolean not null default false,
  "persist_phases" boolean not null default false,
  "default_risk_policy_id" bigint null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "document" tsvector generated always as (search_document(name, '{}'::text[], ''::text)) stored not null
);
CREATE UNIQUE INDEX business_unit_name ON business_unit (organization_id, lower(name));
create index "business_unit_risk_policy" on "business_unit" ("default_risk_policy_id");
CREATE UNIQUE INDEX business_unit_slug ON business_unit (organization_id, slug);

create table "application" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "business_unit_id" bigint not null,
  "name" text not null,
  "slug" text not null,
  "description" text not null default '',
  "priority" text not null default '0-none',
  "tags" text[] not null default '{}',
  "custom_attributes" jsonb not null default '{}',
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "document" tsvector generated always as (search_document(name, tags, description)) stored not null
);
create index "application_list" on "application" ("organization_id", "id");
CREATE UNIQUE INDEX application_name ON application (business_unit_id, lower(name));
CREATE UNIQUE INDEX application_slug ON application (business_unit_id, slug);
alter table "application" add constraint "application_priority_check" check ("priority" in ('0-none', '1-high', '2-medium', '3-low'));

create table "global_role" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'UR' ELSE 'CU' END || number::text) stored not null,
  "name" text not null,
  "description" text not null default '',
  "permissions" text[] not null default '{}'
);
CREATE UNIQUE INDEX global_role_item_id ON global_role (item_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX global_role_name ON global_role (organization_id, lower(name)) NULLS NOT DISTINCT;

create table "identity_provider" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "name" text not null,
  "issuer" text not null,
  "client_id" text not null,
  "sealed_client_secret" text not null,
  "scopes" text[] not null default '{}',
  "create_users" boolean not null default false,
  "default_role_id" bigint not null,
  "domains" text[] not null default '{}',
  "active" boolean not null default true,
  "claims" jsonb not null,
  "group_mappings" jsonb not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
CREATE UNIQUE INDEX identity_provider_name ON identity_provider (organization_id, lower(name));

create table "user_group" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "number" int not null,
  "item_id" text generated always as ('G' || number::text) stored not null,
  "name" text not null,
  "description" text not null default '',
  "role_id" bigint null,
  "updated_at" timestamptz not null default statement_timestamp()
);
CREATE UNIQUE INDEX user_group_name ON user_group (organization_id, lower(name));
alter table "user_group" add constraint "user_group_organization_id_number_key" unique ("organization_id", "number");

create table "setup_link" (
  "hash" bytea not null,
  "expires_at" timestamptz not null,
  primary key ("hash")
);

create table "survey_section" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'S' ELSE 'CS' END || number::text) stored not null,
  "title" text not null,
  "ordinal" int not null
);
CREATE UNIQUE INDEX survey_section_item_id ON survey_section (item_id, organization_id) NULLS NOT DISTINCT;

create table "survey_subsection" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'SS' ELSE 'CSS' END || number::text) stored not null,
  "section_id" bigint not null,
  "title" text not null,
  "ordinal" int not null
);
CREATE UNIQUE INDEX survey_subsection_item_id ON survey_subsection (item_id, organization_id) NULLS NOT DISTINCT;

create table "survey_question" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'Q' ELSE 'CQ' END || number::text) stored not null,
  "subsection_id" bigint not null,
  "text" text not null,
  "description" text not null default '',
  "format" text not null,
  "depends_on" bigint[] not null default '{}',
  "ordinal" int not null,
  "document" tsvector generated always as (search_document(text, '{}'::text[], description)) stored not null
);
CREATE UNIQUE INDEX survey_question_item_id ON survey_question (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX survey_question_document ON survey_question USING gin (document);
create index "survey_question_subsection" on "survey_question" ("subsection_id");
alter table "survey_question" add constraint "survey_question_format_check" check ("format" in ('MC', 'SC'));

create table "survey_subquestion" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'SQ' ELSE 'CSQ' END || number::text) stored not null,
  "question_id" bigint not null,
  "text" text not null,
  "ordinal" int not null
);
CREATE UNIQUE INDEX survey_subquestion_item_id ON survey_subquestion (item_id, organization_id) NULLS NOT DISTINCT;

create table "survey_answer" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'A' ELSE 'CA' END || number::text) stored not null,
  "question_id" bigint not null,
  "subquestion_id" bigint null,
  "text" text not null,
  "description" text not null default '',
  "display_text" text not null default '',
  "is_active" boolean not null default true,
  "attributes" bigint[] not null default '{}',
  "ordinal" int not null,
  "document" tsvector generated always as (search_document(text, '{}'::text[], description)) stored not null
);
CREATE UNIQUE INDEX survey_answer_item_id ON survey_answer (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX survey_answer_document ON survey_answer USING gin (document);
create index "survey_answer_attributes" on "survey_answer" using gin ("attributes");
create index "survey_answer_question" on "survey_answer" ("question_id");
CREATE TRIGGER note_insert AFTER INSERT ON survey_answer
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_survey_answer();
CREATE TRIGGER note_update AFTER UPDATE ON survey_answer
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_survey_answer();
CREATE TRIGGER note_delete AFTER DELETE ON survey_answer
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_survey_answer();

create table "task_status" (
  "id" int not null,
  "item_id" text generated always as ('TS' || id::text) stored not null,
  "meaning" text not null,
  "name" text not null,
  "slug" text not null,
  "icon" text not null,
  primary key ("id")
);
alter table "task_status" add constraint "task_status_meaning_key" unique ("meaning");

create table "threat" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'TH' ELSE 'CTH' END || number::text) stored not null
);
CREATE UNIQUE INDEX threat_item_id ON threat (item_id, organization_id) NULLS NOT DISTINCT;

create table "threat_framework" (
  "id" int not null,
  "slug" text not null,
  "name" text not null,
  "version" text not null,
  "url" text not null,
  primary key ("id")
);
alter table "threat_framework" add constraint "threat_framework_slug_key" unique ("slug");

create table "threat_framework_entry" (
  "framework_id" int not null,
  "entry_id" text not null,
  "name" text not null,
  "url" text not null,
  "position" int not null,
  "domain" text not null default '',
  "active" boolean not null default true,
  primary key ("framework_id", "entry_id")
);

create table "training_module" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "number" int not null,
  "item_id" text generated always as ('CTM' || number::text) stored not null,
  "title" text not null,
  "description" text not null default '',
  "url" text not null default '',
  "active" boolean not null default true
);
CREATE UNIQUE INDEX training_module_item_id ON training_module (item_id, organization_id);
alter table "training_module" add constraint "training_module_organization_id_number_key" unique ("organization_id", "number");

create table "training_module_countermeasure" (
  "training_module_id" bigint not null,
  "countermeasure_id" bigint not null,
  primary key ("training_module_id", "countermeasure_id")
);
create index "training_module_countermeasure_item" on "training_module_countermeasure" ("countermeasure_id");

create table "trend_application" (
  "organization_id" bigint not null,
  "day" date not null,
  "application_id" bigint not null,
  "application" text not null,
  "business_unit" text not null,
  "phase" text null,
  "status" text not null,
  "priority" int null,
  primary key ("organization_id", "day", "application_id")
);

create table "trend_project" (
  "organization_id" bigint not null,
  "day" date not null,
  "project_id" bigint not null,
  "project" text not null,
  "application_id" bigint not null,
  "application" text not null,
  "business_unit" text not null,
  "phase" text null,
  "status" text not null,
  "priority" int null,
  primary key ("organization_id", "day", "project_id")
);

create table "trend_task" (
  "organization_id" bigint not null,
  "day" date not null,
  "project_id" bigint not null,
  "phase" text not null,
  "status" text not null,
  "priority" int not null,
  "total" int not null,
  primary key ("organization_id", "day", "project_id", "phase", "status", "priority")
);

create table "trend_task_application" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "day" date not null,
  "application" text null,
  "business_unit" text null,
  "status" text not null,
  "total" int not null
);
create index "trend_task_application_day" on "trend_task_application" ("organization_id", "day");

create table "trend_task_phase" (
  "organization_id" bigint not null,
  "day" date not null,
  "phase" text not null,
  "status" text not null,
  "priority" int not null,
  "total" int not null,
  primary key ("organization_id", "day", "phase", "status", "priority")
);

create table "user_account" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "email" text not null,
  "first_name" text not null,
  "last_name" text not null,
  "password_hash" text null,
  "is_active" boolean not null default true,
  "is_superuser" boolean not null default false,
  "is_service_account" boolean not null default false,
  "role_id" bigint not null,
  "last_login_at" timestamptz null,
  "joined_at" timestamptz not null default clock_timestamp()
);
CREATE UNIQUE INDEX user_account_email ON user_account (lower(email));
create index "user_account_organization" on "user_account" ("organization_id", "id");

create table "threat_version" (
  "id" bigint generated always as identity not null primary key,
  "threat_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CTH' ELSE 'TH' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], text)) stored not null,
  "references" text[] not null default '{}',
  "reviewed_at" date null,
  "severity" int not null,
  "capecs" bigint[] not null default '{}',
  "problems" bigint[] not null default '{}',
  "stride" text[] not null default '{}',
  "mitre_emb3d" text[] not null default '{}',
  "maestro" text[] not null default '{}',
  "mitre_attack" text[] not null default '{}',
  "search_text" text generated always as (CASE WHEN is_custom THEN 'CTH' ELSE 'TH' END || number::text || E'\n' || CASE WHEN is_custom THEN '-' ELSE '' END || number::text || E'\n' || title) stored not null
);
CREATE UNIQUE INDEX threat_version_owner ON threat_version (threat_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX threat_version_item_id ON threat_version (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX threat_version_order ON threat_version (organization_id, is_custom, number) INCLUDE (threat_id, active);
CREATE INDEX threat_version_title ON threat_version (organization_id, lower(title), is_custom, number);
CREATE INDEX threat_version_updated_by ON threat_version (organization_id, coalesce(updated_by, 0::bigint));
CREATE INDEX threat_version_updated ON threat_version (organization_id, updated_at, is_custom, number);
CREATE INDEX threat_version_document ON threat_version USING gin (document);
create index "threat_version_capecs" on "threat_version" using gin ("capecs");
create index "threat_version_problems" on "threat_version" using gin ("problems");
CREATE INDEX threat_version_search ON threat_version USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit = 64);
create index "threat_version_severity" on "threat_version" ("organization_id", "severity", "is_custom", "number");
alter table "threat_version" add constraint "threat_version_severity_check" check (severity BETWEEN 1 AND 10);
CREATE TRIGGER note_insert AFTER INSERT ON threat_version
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_threat_version();
CREATE TRIGGER note_update AFTER UPDATE ON threat_version
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_threat_version();
CREATE TRIGGER note_delete AFTER DELETE ON threat_version
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_threat_version();

create table "sign_in_address" (
  "user_id" bigint not null,
  "address" text not null,
  "last_used_at" timestamptz not null default clock_timestamp(),
  primary key ("user_id", "address")
);

create table "user_session" (
  "id" bigint generated always as identity not null primary key,
  "user_id" bigint not null,
  "credential" text not null,
  "identity_provider_id" bigint null,
  "sealed_id_token" text null,
  "hash" bytea not null,
  "previous_hash" bytea null,
  "previous_until" timestamptz null,
  "rights" text not null,
  "address" text not null,
  "user_agent" text not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "last_used_at" timestamptz not null default statement_timestamp(),
  "expires_at" timestamptz not null,
  "confirmed_at" timestamptz null
);
create index "user_session_expiry" on "user_session" ("expires_at");
create index "user_session_identity_provider" on "user_session" ("identity_provider_id");
CREATE UNIQUE INDEX user_session_hash ON user_session (hash);
create index "user_session_previous_hash" on "user_session" ("previous_hash") where previous_hash IS NOT NULL;
create index "user_session_user" on "user_session" ("user_id");

create table "sign_in_attempt" (
  "state_hash" bytea not null,
  "browser_hash" bytea not null,
  "provider_id" bigint not null,
  "return_to" text not null,
  "invitation_hash" bytea null,
  "session_id" bigint null,
  "expires_at" timestamptz not null,
  primary key ("state_hash")
);
create index "sign_in_attempt_expiry" on "sign_in_attempt" ("expires_at");
create index "sign_in_attempt_provider" on "sign_in_attempt" ("provider_id");
create index "sign_in_attempt_session" on "sign_in_attempt" ("session_id");

create table "saved_view" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "user_id" bigint not null,
  "name" text not null,
  "page" text not null,
  "query" jsonb not null,
  "shared" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
create index "saved_view_user" on "saved_view" ("user_id", "id");
create index "saved_view_shared" on "saved_view" ("organization_id", "id") where shared;

create table "report" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "title" text not null,
  "description" text not null default '',
  "query" json not null,
  "chart" text not null,
  "chart_meta" json not null default '{}',
  "type" text not null default 'D',
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "modified_at" timestamptz not null default statement_timestamp()
);
create index "report_creator" on "report" ("created_by");
create index "report_list" on "report" ("organization_id", "id");
alter table "report" add constraint "report_chart_check" check ("chart" in ('table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'));
alter table "report" add constraint "report_type_check" check ("type" in ('D', 'T'));

create table "project" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "application_id" bigint not null,
  "external_id" text not null default 'project-' || gen_random_uuid()::text,
  "name" text not null,
  "slug" text not null,
  "description" text not null default '',
  "tags" text[] not null default '{}',
  "custom_attributes" jsonb not null default '{}',
  "profile_id" bigint null,
  "risk_policy_id" bigint null,
  "risk_policy_compliant" boolean null,
  "parent_id" bigint null,
  "base_project_id" bigint null,
  "creator_id" bigint null,
  "archived" boolean not null default false,
  "locked" boolean not null default false,
  "content_refresh_locked" boolean not null default false,
  "survey_complete" boolean not null default false,
  "survey_dirty" boolean not null default false,
  "none_questions" bigint[] not null default '{}',
  "draft_none_questions" bigint[] not null default '{}',
  "level" int not null default 3,
  "stakes" int not null default 0,
  "refresh_due_at" timestamptz null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "draft_profile_id" bigint null,
  "last_countermeasure_number" int not null default 0,
  "document" tsvector generated always as (search_document(name, tags, description)) stored not null
);
alter table "project" add constraint "project_external_id_key" unique ("external_id");
CREATE INDEX project_document ON project USING gin (document);
create index "project_base" on "project" ("base_project_id");
create index "project_creator" on "project" ("creator_id");
create index "project_draft_profile" on "project" ("draft_profile_id");
create index "project_list" on "project" ("organization_id", "id");
CREATE UNIQUE INDEX project_name ON project (application_id, lower(name));
create index "project_parent" on "project" ("parent_id");
create index "project_profile" on "project" ("profile_id");
create index "project_refresh_due" on "project" ("refresh_due_at") where refresh_due_at IS NOT NULL;
create index "project_risk_policy" on "project" ("risk_policy_id");
CREATE UNIQUE INDEX project_slug ON project (application_id, slug);
alter table "project" add constraint "project_level_check" check (level BETWEEN 1 AND 3);

create table "tracker_connection" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "project_id" bigint not null,
  "connector_id" bigint not null,
  "project_key" text not null,
  "issue_type" text not null default '',
  "frequency" text not null default 'manually',
  "conflict_policy" text not null default 'tracker',
  "min_priority" int not null default 1,
  "phases" text[] not null default '{}',
  "statuses_in_scope" text[] not null default '{}',
  "only_risk_relevant" boolean not null default false,
  "title_format" text not null,
  "labels" text[] not null default '{}',
  "fields" jsonb not null default '{}',
  "priority_map" jsonb not null default '{}',
  "status_to_tracker" jsonb not null default '{}',
  "tracker_to_status" jsonb not null default '{}',
  "close_out_of_scope" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "due_at" timestamptz null,
  "resume_at" timestamptz null,
  "queued_until" timestamptz null,
  "lease_owner" text null,
  "lease_until" timestamptz null,
  "fence" int not null default 0,
  "failures" int not null default 0,
  "cursor" timestamptz null,
  "listed_at" timestamptz null
);
create index "tracker_connection_connector" on "tracker_connection" ("connector_id");
create index "tracker_connection_list" on "tracker_connection" ("project_id", "id");
CREATE INDEX tracker_connection_due ON tracker_connection (coalesce(resume_at, due_at));
create index "tracker_connection_organization" on "tracker_connection" ("organization_id");
alter table "tracker_connection" add constraint "tracker_connection_min_priority_check" check (min_priority BETWEEN 1 AND 10);
alter table "tracker_connection" add constraint "tracker_connection_frequency_check" check ("frequency" in ('manually', 'hourly', 'daily', 'weekly'));
alter table "tracker_connection" add constraint "tracker_connection_conflict_policy_check" check ("conflict_policy" in ('tracker', 'merlon', 'newest'));

create table "tracker_sync_run" (
  "id" bigint generated always as identity not null primary key,
  "connection_id" bigint not null,
  "status" text not null default 'pending',
  "requested" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "started_at" timestamptz null,
  "finished_at" timestamptz null,
  "listed" boolean not null default false,
  "position" bigint not null default '0',
  "created" int not null default 0,
  "changed" int not null default 0,
  "closed" int not null default 0,
  "marked" int not null default 0,
  "conflicts" int not null default 0,
  "missing" int not null default 0,
  "failed" int not null default 0,
  "error" text null
);
create index "tracker_sync_run_list" on "tracker_sync_run" ("connection_id", "id");
CREATE UNIQUE INDEX tracker_sync_run_unfinished ON tracker_sync_run (connection_id) WHERE status IN ('pending', 'running');
alter table "tracker_sync_run" add constraint "tracker_sync_run_status_check" check ("status" in ('pending', 'running', 'succeeded', 'failed'));

create table "project_threat" (
  "project_id" bigint not null,
  "threat_id" bigint not null,
  "created_at" timestamptz not null default statement_timestamp(),
  primary key ("project_id", "threat_id")
);
create index "project_threat_threat" on "project_threat" ("threat_id");

create table "project_survey_comment" (
  "id" bigint generated always as identity not null primary key,
  "project_id" bigint not null,
  "question_id" bigint not null,
  "text" text not null,
  "pinned" boolean not null default false,
  "locked" boolean not null default false,
  "author_id" bigint null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
create index "project_survey_comment_project" on "project_survey_comment" ("project_id", "question_id", "id");

create table "project_member" (
  "id" bigint generated always as identity not null primary key,
  "project_id" bigint not null,
  "user_id" bigint null,
  "group_id" bigint null,
  "role" text not null,
  "identity_provider_id" bigint null
);
create index "project_member_group" on "project_member" ("group_id", "project_id");
create index "project_member_identity_provider" on "project_member" ("identity_provider_id");
create index "project_member_user" on "project_member" ("user_id", "project_id");
CREATE UNIQUE INDEX project_member_who ON project_member (project_id, user_id, group_id) NULLS NOT DISTINCT;
alter table "project_member" add constraint "project_member_check" check (num_nonnulls(user_id, group_id) = 1);
alter table "project_member" add constraint "project_member_role_check" check ("role" in ('PR1', 'PR2', 'PR3', 'PR4', 'PR5'));

create table "project_draft_answer" (
  "project_id" bigint not null,
  "answer_id" bigint not null,
  "state" text not null default 'chosen',
  primary key ("project_id", "answer_id")
);
create index "project_draft_answer_answer" on "project_draft_answer" ("answer_id");
alter table "project_draft_answer" add constraint "project_draft_answer_state_check" check ("state" in ('suggested', 'chosen', 'rejected'));

create table "project_diagram" (
  "id" bigint generated always as identity not null primary key,
  "project_id" bigint not null,
  "name" text not null,
  "diagram_data" jsonb not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
create index "project_diagram_project" on "project_diagram" ("project_id", "id");

create table "project_countermeasure" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "project_id" bigint not null,
  "status_id" int not null default 2,
  "relevant" boolean not null default true,
  "relevant_via_survey" boolean not null default false,
  "accepted" boolean not null default true,
  "manually_added" boolean not null default false,
  "countermeasure_id" bigint null,
  "number" int null,
  "phase_id" bigint null,
  "priority" int null,
  "title" text null,
  "text" text null,
  "verification_status" text not null default 'none',
  "tags" text[] null,
  "artifact_proxy" text not null default '',
  "became_relevant_at" timestamptz null,
  "status_updated_at" timestamptz null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null
);
CREATE UNIQUE INDEX project_countermeasure_item ON project_countermeasure (project_id, countermeasure_id);
create index "project_countermeasure_library" on "project_countermeasure" ("countermeasure_id");
create index "project_countermeasure_library_states" on "project_countermeasure" ("organization_id", "countermeasure_id", "status_id", "accepted");
CREATE UNIQUE INDEX project_countermeasure_number ON project_countermeasure (project_id, number) WHERE number IS NOT NULL;
create index "project_countermeasure_open" on "project_countermeasure" ("organization_id", "countermeasure_id", "project_id") where accepted AND status_id <> 1;
create index "project_countermeasure_phase" on "project_countermeasure" ("phase_id") where phase_id IS NOT NULL;
create index "project_countermeasure_states" on "project_countermeasure" ("organization_id", "project_id", "status_id", "accepted");
alter table "project_countermeasure" add constraint "project_countermeasure_of" check (CASE WHEN countermeasure_id IS NULL
        THEN num_nulls(number, title, text, phase_id, priority) = 0
        ELSE num_nonnulls(number, title, text, phase_id, priority) = 0 END);
alter table "project_countermeasure" add constraint "project_countermeasure_priority_check" check (priority BETWEEN 1 AND 10);
alter table "project_countermeasure" add constraint "project_countermeasure_verification_status_check" check ("verification_status" in ('none', 'pass', 'partial', 'fail'));

create table "tracked_issue" (
  "id" bigint generated always as identity not null primary key,
  "connection_id" bigint not null,
  "project_countermeasure_id" bigint null,
  "marker" text not null default 'merlon-' || gen_random_uuid(),
  "status" text not null default 'pending',
  "issue_id" text null,
  "issue_key" text null,
  "url" text null,
  "base" jsonb null,
  "seen" jsonb null,
  "error" text null,
  "created_at" timestamptz not null default statement_timestamp(),
  "synced_at" timestamptz null
);
alter table "tracked_issue" add constraint "tracked_issue_marker_key" unique ("marker");
CREATE UNIQUE INDEX tracked_issue_countermeasure ON tracked_issue (connection_id, project_countermeasure_id);
create index "tracked_issue_id" on "tracked_issue" ("connection_id", "issue_id");
create index "tracked_issue_list" on "tracked_issue" ("connection_id", "id");
create index "tracked_issue_owner" on "tracked_issue" ("project_countermeasure_id");
alter table "tracked_issue" add constraint "tracked_issue_status_check" check ("status" in ('pending', 'synced', 'failed', 'missing', 'out_of_scope'));

create table "project_countermeasure_note" (
  "id" bigint generated always as identity not null primary key,
  "project_countermeasure_id" bigint not null,
  "text" text not null,
  "automatic" boolean not null default false,
  "author_id" bigint null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null
);
create index "project_countermeasure_note_of" on "project_countermeasure_note" ("project_countermeasure_id", "id");

create table "project_countermeasure_assignee" (
  "project_countermeasure_id" bigint not null,
  "user_id" bigint not null,
  primary key ("project_countermeasure_id", "user_id")
);
create index "project_countermeasure_assignee_user" on "project_countermeasure_assignee" ("user_id");

create table "project_countermeasure_analysis" (
  "id" bigint generated always as identity not null primary key,
  "project_countermeasure_id" bigint not null,
  "system" text not null default '',
  "analysis_session" text not null default '',
  "behaviour" text not null default 'replace',
  "replaces_all" boolean not null default false,
  "confidence" text not null default 'high',
  "findings" jsonb not null default '[]',
  "finding_ref" text not null default '',
  "status" text not null,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null
);
create index "project_countermeasure_analysis_of" on "project_countermeasure_analysis" ("project_countermeasure_id", "id");
alter table "project_countermeasure_analysis" add constraint "project_countermeasure_analysis_behaviour_check" check ("behaviour" in ('combine', 'replace'));
alter table "project_countermeasure_analysis" add constraint "project_countermeasure_analysis_confidence_check" check ("confidence" in ('low', 'high'));
alter table "project_countermeasure_analysis" add constraint "project_countermeasure_analysis_status_check" check ("status" in ('pass', 'partial', 'fail'));

create table "project_component" (
  "project_id" bigint not null,
  "component_id" bigint not null,
  "tasks_implemented" bigint[] not null default '{}',
  "tasks_introduced" bigint[] not null default '{}',
  "implied_attributes" bigint[] not null default '{}',
  "added_at" timestamptz not null default clock_timestamp(),
  "taken_at" timestamptz not null default clock_timestamp(),
  "tasks_marked" bigint[] not null default '{}',
  primary key ("project_id", "component_id")
);
create index "project_component_component" on "project_component" ("component_id");

create table "project_attribute_source" (
  "project_id" bigint not null,
  "attribute_id" bigint not null,
  "type" text not null,
  "ref" text not null default '',
  "reason" text not null default '',
  "added_by" bigint null,
  "added_at" timestamptz not null default clock_timestamp(),
  primary key ("project_id", "attribute_id", "type", "ref")
);
create index "project_attribute_source_attribute" on "project_attribute_source" ("attribute_id");
alter table "project_attribute_source" add constraint "project_attribute_source_type_check" check ("type" in ('survey', 'component', 'implied', 'manual'));

create table "project_answer" (
  "project_id" bigint not null,
  "answer_id" bigint not null,
  "state" text not null default 'chosen',
  primary key ("project_id", "answer_id")
);
create index "project_answer_answer" on "project_answer" ("answer_id");
alter table "project_answer" add constraint "project_answer_state_check" check ("state" in ('suggested', 'chosen', 'rejected'));

create table "onboarding_scan" (
  "id" bigint generated always as identity not null primary key,
  "project_id" bigint not null,
  "connector_id" bigint null,
  "repository_url" text not null,
  "status" text not null,
  "created_at" timestamptz not null default statement_timestamp()
);
create index "onboarding_scan_connector" on "onboarding_scan" ("connector_id");
create index "onboarding_scan_project" on "onboarding_scan" ("project_id", "id");

create table "library_upgrade" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "release_change_id" bigint not null,
  "status" text not null default 'open',
  "resolved_at" timestamptz null,
  "resolved_by" bigint null
);
create index "library_upgrade_organization" on "library_upgrade" ("organization_id", "status");
create index "library_upgrade_resolved_by" on "library_upgrade" ("resolved_by") where resolved_by IS NOT NULL;
alter table "library_upgrade" add constraint "library_upgrade_release_change_id_organization_id_key" unique ("release_change_id", "organization_id");
alter table "library_upgrade" add constraint "library_upgrade_status_check" check ("status" in ('open', 'taken', 'kept', 'superseded'));

create table "invitation" (
  "user_id" bigint not null,
  "hash" bytea not null,
  "expires_at" timestamptz not null,
  primary key ("user_id")
);
alter table "invitation" add constraint "invitation_hash_key" unique ("hash");

create table "import_job" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "status" text not null default 'pending',
  "triggered_at" timestamptz not null default clock_timestamp(),
  "triggered_by" bigint null,
  "accepted_at" timestamptz null,
  "accepted_by" bigint null,
  "completed_at" timestamptz null,
  "errors" json null,
  "progress_done" int null,
  "progress_total" int null,
  "model" text null,
  "file_name" text not null,
  "file_key" text null,
  "file_bytes" bigint not null default '0',
  "type" text null,
  "file_format" text null,
  "content_models" text[] not null default '{}',
  "summary" json null,
  "interpreted" json null,
  "difference_fence" int null,
  "kept_until" timestamptz not null,
  "due_at" timestamptz not null default clock_timestamp(),
  "queued_until" timestamptz null,
  "taken_at" timestamptz null,
  "staged_bytes" bigint not null default '0',
  "trimmed" boolean not null default true,
  "starts" int not null default 0,
  "cancel_requested" boolean not null default false,
  "lease_owner" text null,
  "lease_until" timestamptz null,
  "fence" int not null default 0
);
create index "import_job_due" on "import_job" ("due_at") where status IN ('pending', 'generating_diff', 'applying_changes');
create index "import_job_kept" on "import_job" ("kept_until") where file_key IS NOT NULL OR summary IS NOT NULL;
create index "import_job_stored" on "import_job" ("organization_id") where file_key IS NOT NULL;
create index "import_job_unfinished" on "import_job" ("organization_id") where completed_at IS NULL;
create index "import_job_list" on "import_job" ("organization_id", "id");
create index "import_job_taken" on "import_job" ("organization_id", "taken_at");
create index "import_job_untrimmed" on "import_job" ("id") where NOT trimmed;
alter table "import_job" add constraint "import_job_checked_by" check (status <> 'generating_diff' OR lease_until IS NOT NULL);
alter table "import_job" add constraint "import_job_completed" check ((status IN ('success', 'fail', 'cancel')) = (completed_at IS NOT NULL));
alter table "import_job" add constraint "import_job_lease" check (lease_until IS NULL OR status IN ('generating_diff', 'applying_changes'));
alter table "import_job" add constraint "import_job_reviewed" check (status <> 'ready_for_review' OR summary IS NOT NULL);
alter table "import_job" add constraint "import_job_status_check" check ("status" in ('pending', 'generating_diff', 'ready_for_review', 'applying_changes', 'success', 'fail', 'cancel'));

create table "import_row" (
  "job_id" bigint not null,
  "fence" int not null,
  "position" int not null,
  "model" text not null,
  "file" text not null,
  "row" int not null,
  "item_id" text null,
  "given" json null,
  "action" text not null,
  "changes" json not null,
  "greatest_condition" int not null default 0,
  "size" int not null default 0,
  primary key ("job_id", "fence", "position")
);
create index "import_row_difference" on "import_row" ("job_id", "fence", "position") where action <> 'unchanged';

create table "idempotency_key" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "user_id" bigint not null,
  "key_hash" text not null,
  "request_hash" text not null,
  "status" int not null,
  "sealed_response" text not null,
  "created_at" timestamptz not null default statement_timestamp()
);
create index "idempotency_key_created" on "idempotency_key" ("created_at");
CREATE UNIQUE INDEX idempotency_key_hash ON idempotency_key (user_id, key_hash);

create table "how_to_version" (
  "id" bigint generated always as identity not null primary key,
  "how_to_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CI' ELSE 'I' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], text)) stored not null,
  "references" text[] not null default '{}',
  "reviewed_at" date null,
  "versions" text not null default '',
  "slug" text not null,
  "search_text" text generated always as (CASE WHEN is_custom THEN 'CI' ELSE 'I' END || number::text || E'\n' || CASE WHEN is_custom THEN '-' ELSE '' END || number::text || E'\n' || title) stored not null
);
CREATE UNIQUE INDEX how_to_version_owner ON how_to_version (how_to_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX how_to_version_item_id ON how_to_version (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX how_to_version_order ON how_to_version (organization_id, is_custom, number) INCLUDE (how_to_id, active);
CREATE INDEX how_to_version_title ON how_to_version (organization_id, lower(title), is_custom, number);
CREATE INDEX how_to_version_updated_by ON how_to_version (organization_id, coalesce(updated_by, 0::bigint));
CREATE INDEX how_to_version_updated ON how_to_version (organization_id, updated_at, is_custom, number);
CREATE INDEX how_to_version_document ON how_to_version USING gin (document);

create table "group_member" (
  "group_id" bigint not null,
  "user_id" bigint not null,
  "identity_provider_id" bigint null,
  primary key ("group_id", "user_id")
);
create index "group_member_identity_provider" on "group_member" ("identity_provider_id");
create index "group_member_user" on "group_member" ("user_id");

create table "export_job" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "status" text not null default 'pending',
  "type" text not null,
  "file_format" text not null,
  "content_models" text[] not null,
  "triggered_at" timestamptz not null default clock_timestamp(),
  "triggered_by" bigint null,
  "completed_at" timestamptz null,
  "errors" json null,
  "progress_done" int null,
  "progress_total" int null,
  "due_at" timestamptz not null default clock_timestamp(),
  "queued_until" timestamptz null,
  "taken_at" timestamptz null,
  "starts" int not null default 0,
  "cancel_requested" boolean not null default false,
  "lease_owner" text null,
  "lease_until" timestamptz null,
  "fence" int not null default 0,
  "file_key" text null,
  "file_bytes" bigint null,
  "file_etag" text null,
  "file_expires_at" timestamptz null
);
create index "export_job_due" on "export_job" ("due_at") where status IN ('pending', 'in_progress');
create index "export_job_file" on "export_job" ("file_expires_at") where file_key IS NOT NULL;
create index "export_job_unfinished" on "export_job" ("organization_id") where completed_at IS NULL;
create index "export_job_list" on "export_job" ("organization_id", "id");
create index "export_job_taken" on "export_job" ("organization_id", "taken_at");
alter table "export_job" add constraint "export_job_completed" check ((status IN ('pending', 'in_progress')) = (completed_at IS NULL));
alter table "export_job" add constraint "export_job_file" check (file_key IS NULL OR status = 'success');
alter table "export_job" add constraint "export_job_lease" check ((status = 'in_progress') = (lease_until IS NOT NULL));
alter table "export_job" add constraint "export_job_status_check" check ("status" in ('pending', 'in_progress', 'success', 'fail', 'cancel'));

create table "component_version" (
  "id" bigint generated always as identity not null primary key,
  "component_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CSC' ELSE 'SC' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null default '',
  "active" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], text)) stored not null,
  "category" text not null default '',
  "icon_slug" text not null default 'mui-hub',
  "answer_id" bigint null,
  "tasks_implemented" bigint[] not null default '{}',
  "tasks_introduced" bigint[] not null default '{}',
  "implied_attributes" bigint[] not null default '{}',
  "questions" bigint[] not null default '{}',
  "parent_answers" bigint[] not null default '{}'
);
CREATE UNIQUE INDEX component_version_owner ON component_version (component_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX component_version_item_id ON component_version (item_id, organization_id) NULLS NOT DISTINCT;
create index "component_version_order" on "component_version" ("organization_id", "is_custom", "number") include ("component_id");
CREATE INDEX component_version_title ON component_version (organization_id, lower(title), is_custom, number);
create index "component_version_updated" on "component_version" ("organization_id", "updated_at", "is_custom", "number");
create index "component_version_answer" on "component_version" ("answer_id");
create index "component_version_implied_attributes" on "component_version" using gin ("implied_attributes");
create index "component_version_questions" on "component_version" using gin ("questions");
CREATE INDEX component_version_search ON component_version USING gin (title gin_trgm_ops) WITH (gin_pending_list_limit = 64);
CREATE INDEX component_version_document ON component_version USING gin (document);
create index "component_version_tasks" on "component_version" using gin ("tasks_implemented", "tasks_introduced");
alter table "component_version" add constraint "component_version_check" check (NOT (tasks_implemented && tasks_introduced));
alter table "component_version" add constraint "component_version_check1" check (cardinality(questions) = cardinality(parent_answers));
CREATE TRIGGER note_insert AFTER INSERT ON component_version
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_component_version();
CREATE TRIGGER note_update AFTER UPDATE ON component_version
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_component_version();
CREATE TRIGGER note_delete AFTER DELETE ON component_version
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_component_version();

create table "business_unit_member" (
  "id" bigint generated always as identity not null primary key,
  "business_unit_id" bigint not null,
  "user_id" bigint null,
  "group_id" bigint null,
  "project_role" text null,
  "identity_provider_id" bigint null
);
create index "business_unit_member_group" on "business_unit_member" ("group_id");
create index "business_unit_member_identity_provider" on "business_unit_member" ("identity_provider_id");
create index "business_unit_member_user" on "business_unit_member" ("user_id");
CREATE UNIQUE INDEX business_unit_member_who ON business_unit_member (business_unit_id, user_id, group_id, (project_role IS NULL)) NULLS NOT DISTINCT;
alter table "business_unit_member" add constraint "business_unit_member_check" check (num_nonnulls(user_id, group_id) = 1);
alter table "business_unit_member" add constraint "business_unit_member_project_role_check" check ("project_role" in ('PR1', 'PR2', 'PR3', 'PR4', 'PR5'));

create table "api_token" (
  "id" bigint generated always as identity not null primary key,
  "user_id" bigint not null,
  "name" text not null,
  "public_id" text not null,
  "prefix" text null,
  "hash" bytea not null,
  "scopes" text[] not null default '{*}',
  "project_ids" bigint[] null,
  "created_at" timestamptz not null default statement_timestamp(),
  "expires_at" timestamptz null,
  "last_used_at" timestamptz null,
  "last_used_address" text null
);
create index "api_token_expiry" on "api_token" ("expires_at") where expires_at IS NOT NULL;
CREATE UNIQUE INDEX api_token_hash ON api_token (hash);
create index "api_token_public_id" on "api_token" ("public_id");
create index "api_token_user" on "api_token" ("user_id");

create table "additional_requirement_version" (
  "id" bigint generated always as identity not null primary key,
  "additional_requirement_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CTA' ELSE 'TA' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], text)) stored not null,
  "references" text[] not null default '{}',
  "reviewed_at" date null,
  "ordinal" int not null,
  "search_text" text generated always as (CASE WHEN is_custom THEN 'CTA' ELSE 'TA' END || number::text || E'\n' || CASE WHEN is_custom THEN '-' ELSE '' END || number::text || E'\n' || title) stored not null
);
CREATE UNIQUE INDEX additional_requirement_version_owner ON additional_requirement_version (additional_requirement_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX additional_requirement_version_item_id ON additional_requirement_version (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX additional_requirement_version_order ON additional_requirement_version (organization_id, is_custom, number) INCLUDE (additional_requirement_id, active);
CREATE INDEX additional_requirement_version_title ON additional_requirement_version (organization_id, lower(title), is_custom, number);
CREATE INDEX additional_requirement_version_updated_by ON additional_requirement_version (organization_id, coalesce(updated_by, 0::bigint));
CREATE INDEX additional_requirement_version_updated ON additional_requirement_version (organization_id, updated_at, is_custom, number);
CREATE INDEX additional_requirement_version_document ON additional_requirement_version USING gin (document);

create table "activity" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "name" text not null,
  "actor_id" bigint null,
  "text" text not null,
  "data" jsonb not null,
  "icon" text not null,
  "log_level" text not null,
  "source" jsonb null,
  "occurred_at" timestamptz not null default clock_timestamp(),
  "transaction_id" xid8 null
);
CREATE INDEX activity_stream_project ON activity (organization_id, (data ->> 'project'), occurred_at DESC, id DESC, name)
      WHERE (data ->> 'project') IS NOT NULL;
CREATE INDEX activity_stream_application ON activity (organization_id, (data ->> 'application'), occurred_at DESC, id DESC, name)
      WHERE (data ->> 'application') IS NOT NULL;
CREATE INDEX activity_stream_user ON activity (organization_id, (data ->> 'user'), occurred_at DESC, id DESC, name)
      WHERE (data ->> 'user') IS NOT NULL;
CREATE INDEX activity_stream_standard ON activity (organization_id, (data ->> 'standard'), occurred_at DESC, id DESC, name)
      WHERE (data ->> 'standard') IS NOT NULL;
CREATE INDEX activity_stream_task ON activity (organization_id, (data ->> 'task'), occurred_at DESC, id DESC, name)
      WHERE (data ->> 'task') IS NOT NULL;
CREATE INDEX activity_search ON activity USING gin ((name || E'\n' || text) gin_trgm_ops);
create index "activity_stream" on "activity" ("organization_id", "occurred_at" DESC, "id" DESC);
create index "activity_stream_actor" on "activity" ("organization_id", "actor_id", "occurred_at" DESC, "id" DESC, "name") where actor_id IS NOT NULL;
create index "activity_stream_name" on "activity" ("organization_id", "name", "occurred_at" DESC, "id" DESC);
CREATE TRIGGER activity_transaction BEFORE INSERT ON activity
        FOR EACH ROW EXECUTE FUNCTION activity_transaction();

create table "user_identity" (
  "id" bigint generated always as identity not null primary key,
  "user_id" bigint not null,
  "provider_id" bigint not null,
  "issuer" text not null,
  "subject" text not null,
  "role_id" bigint null,
  "created_at" timestamptz not null default statement_timestamp(),
  "last_used_at" timestamptz not null default statement_timestamp()
);
CREATE UNIQUE INDEX user_identity_subject ON user_identity (provider_id, issuer, subject);
create index "user_identity_role" on "user_identity" ("role_id");
create index "user_identity_user" on "user_identity" ("user_id");

create table "user_preferences" (
  "user_id" bigint not null,
  "preferences" jsonb not null,
  primary key ("user_id")
);

create table "verification_connection" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "project_id" bigint not null,
  "connector_id" bigint not null,
  "project_key" text not null,
  "branch" text not null default '',
  "frequency" text not null default 'manually',
  "merge" text not null default 'replace_same_tool',
  "update_status" boolean not null default false,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp(),
  "due_at" timestamptz null,
  "queued_until" timestamptz null,
  "lease_owner" text null,
  "lease_until" timestamptz null,
  "fence" int not null default 0,
  "failures" int not null default 0,
  "finished_at" timestamptz null,
  "error" text null,
  "verified" int not null default 0
);
create index "verification_connection_connector" on "verification_connection" ("connector_id");
create index "verification_connection_list" on "verification_connection" ("project_id", "id");
create index "verification_connection_due" on "verification_connection" ("due_at");
create index "verification_connection_organization" on "verification_connection" ("organization_id");
alter table "verification_connection" add constraint "verification_connection_frequency_check" check ("frequency" in ('manually', 'hourly', 'daily', 'weekly'));
alter table "verification_connection" add constraint "verification_connection_merge_check" check ("merge" in ('replace', 'replace_same_tool', 'combine'));

create table "weakness" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'P' ELSE 'CP' END || number::text) stored not null
);
CREATE UNIQUE INDEX weakness_item_id ON weakness (item_id, organization_id) NULLS NOT DISTINCT;

create table "rule_mapping" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN organization_id IS NULL THEN 'RM' ELSE 'CRM' END || number::text) stored not null,
  "system" text not null,
  "rule_pattern" text not null,
  "cwe" int null,
  "weakness_id" bigint null
);
CREATE UNIQUE INDEX rule_mapping_item_id ON rule_mapping (item_id, organization_id) NULLS NOT DISTINCT;
create index "rule_mapping_weakness" on "rule_mapping" ("weakness_id") where weakness_id IS NOT NULL;
alter table "rule_mapping" add constraint "rule_mapping_target" check (num_nonnulls(cwe, weakness_id) = 1);

create table "project_weakness" (
  "project_id" bigint not null,
  "weakness_id" bigint not null,
  "created_at" timestamptz not null default statement_timestamp(),
  primary key ("project_id", "weakness_id")
);
create index "project_weakness_weakness" on "project_weakness" ("weakness_id");

create table "countermeasure_version" (
  "id" bigint generated always as identity not null primary key,
  "countermeasure_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CT' ELSE 'T' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, tags, text)) stored not null,
  "references" text[] not null default '{}',
  "reviewed_at" date null,
  "weakness_id" bigint not null,
  "phase_id" bigint not null,
  "priority" int not null,
  "level" int not null default 1,
  "tags" text[] not null default '{}',
  "categories" text[] not null default '{}',
  "verification_coverage" text[] not null default '{}',
  "search_text" text generated always as (CASE WHEN is_custom THEN 'CT' ELSE 'T' END || number::text || E'\n' || CASE WHEN is_custom THEN '-' ELSE '' END || number::text || E'\n' || title) stored not null
);
CREATE UNIQUE INDEX countermeasure_version_owner ON countermeasure_version (countermeasure_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX countermeasure_version_item_id ON countermeasure_version (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX countermeasure_version_order ON countermeasure_version (organization_id, is_custom, number) INCLUDE (countermeasure_id, active);
CREATE INDEX countermeasure_version_title ON countermeasure_version (organization_id, lower(title), is_custom, number);
CREATE INDEX countermeasure_version_updated_by ON countermeasure_version (organization_id, coalesce(updated_by, 0::bigint));
CREATE INDEX countermeasure_version_updated ON countermeasure_version (organization_id, updated_at, is_custom, number);
CREATE INDEX countermeasure_version_document ON countermeasure_version USING gin (document);
CREATE UNIQUE INDEX countermeasure_version_of ON countermeasure_version (countermeasure_id, (coalesce(organization_id, 0)));
create index "countermeasure_version_phase" on "countermeasure_version" ("organization_id", "phase_id");
create index "countermeasure_version_priority" on "countermeasure_version" ("organization_id", "priority", "is_custom", "number") include ("countermeasure_id", "active");
CREATE INDEX countermeasure_version_search ON countermeasure_version USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit = 64);
create index "countermeasure_version_tags" on "countermeasure_version" using gin ("tags");
create index "countermeasure_version_weakness" on "countermeasure_version" ("weakness_id");
alter table "countermeasure_version" add constraint "countermeasure_version_priority_check" check (priority BETWEEN 1 AND 10);
alter table "countermeasure_version" add constraint "countermeasure_version_level_check" check (level BETWEEN 1 AND 3);
CREATE TRIGGER note_insert AFTER INSERT ON countermeasure_version
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_countermeasure_version();
CREATE TRIGGER note_update AFTER UPDATE ON countermeasure_version
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_countermeasure_version();
CREATE TRIGGER note_delete AFTER DELETE ON countermeasure_version
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_countermeasure_version();

create table "weakness_version" (
  "id" bigint generated always as identity not null primary key,
  "weakness_id" bigint not null,
  "organization_id" bigint null,
  "is_custom" boolean not null,
  "number" int not null,
  "item_id" text generated always as (CASE WHEN is_custom THEN 'CP' ELSE 'P' END || number::text) stored not null,
  "revision" int not null default 1,
  "changed_fields" text[] not null default '{}',
  "title" text not null,
  "text" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null,
  "document" tsvector generated always as (search_document(title, '{}'::text[], text)) stored not null,
  "references" text[] not null default '{}',
  "reviewed_at" date null,
  "risk_rating" int not null,
  "category" text not null default '',
  "cwes" bigint[] not null default '{}',
  "search_text" text generated always as (CASE WHEN is_custom THEN 'CP' ELSE 'P' END || number::text || E'\n' || title) stored not null
);
CREATE UNIQUE INDEX weakness_version_owner ON weakness_version (weakness_id, organization_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX weakness_version_item_id ON weakness_version (item_id, organization_id) NULLS NOT DISTINCT;
CREATE INDEX weakness_version_order ON weakness_version (organization_id, is_custom, number) INCLUDE (weakness_id, active);
CREATE INDEX weakness_version_title ON weakness_version (organization_id, lower(title), is_custom, number);
CREATE INDEX weakness_version_updated_by ON weakness_version (organization_id, coalesce(updated_by, 0::bigint));
CREATE INDEX weakness_version_updated ON weakness_version (organization_id, updated_at, is_custom, number);
CREATE INDEX weakness_version_document ON weakness_version USING gin (document);
create index "weakness_version_cwes" on "weakness_version" using gin ("cwes");
CREATE INDEX weakness_version_search ON weakness_version USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit = 64);
alter table "weakness_version" add constraint "weakness_version_risk_rating_check" check (risk_rating BETWEEN 1 AND 10);
CREATE TRIGGER note_insert AFTER INSERT ON weakness_version
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_weakness_version();
CREATE TRIGGER note_update AFTER UPDATE ON weakness_version
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_weakness_version();
CREATE TRIGGER note_delete AFTER DELETE ON weakness_version
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_weakness_version();

create table "match_condition" (
  "id" bigint generated always as identity not null primary key,
  "weakness_version_id" bigint null,
  "countermeasure_version_id" bigint null,
  "additional_requirement_version_id" bigint null,
  "how_to_version_id" bigint null,
  "item_id" text not null,
  "db_id" bigint not null,
  "position" int not null,
  "required" bigint[] not null default '{}',
  "excluded" bigint[] not null default '{}',
  "required_attributes" bigint[] not null default '{}',
  "excluded_attributes" bigint[] not null default '{}',
  "threat_version_id" bigint null
);
CREATE INDEX match_condition_weakness ON match_condition (weakness_version_id, position) WHERE weakness_version_id IS NOT NULL;
CREATE INDEX match_condition_countermeasure ON match_condition (countermeasure_version_id, position) WHERE countermeasure_version_id IS NOT NULL;
CREATE INDEX match_condition_additional_requirement ON match_condition (additional_requirement_version_id, position) WHERE additional_requirement_version_id IS NOT NULL;
CREATE INDEX match_condition_how_to ON match_condition (how_to_version_id, position) WHERE how_to_version_id IS NOT NULL;
CREATE INDEX match_condition_threat ON match_condition (threat_version_id, position) WHERE threat_version_id IS NOT NULL;
create index "match_condition_attributes" on "match_condition" using gin ("required_attributes", "excluded_attributes") where required_attributes <> '{}' OR excluded_attributes <> '{}';
alter table "match_condition" add constraint "match_condition_check" check (num_nonnulls(weakness_version_id, countermeasure_version_id, additional_requirement_version_id, how_to_version_id, threat_version_id) = 1);
CREATE TRIGGER note_insert AFTER INSERT ON match_condition
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_match_condition();
CREATE TRIGGER note_update AFTER UPDATE ON match_condition
      REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_match_condition();
CREATE TRIGGER note_delete AFTER DELETE ON match_condition
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_match_condition();

create table "webhook" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint not null,
  "name" text not null,
  "sealed_url" text not null,
  "format" text not null default 'slack',
  "sealed_secret" text null,
  "sealed_previous_secret" text null,
  "previous_secret_until" timestamptz null,
  "description" text not null default '',
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
create index "webhook_list" on "webhook" ("organization_id", "id");
alter table "webhook" add constraint "webhook_format_check" check ("format" in ('slack', 'mattermost', 'teams', 'standard'));

create table "webhook_config" (
  "id" bigint generated always as identity not null primary key,
  "webhook_id" bigint not null,
  "event_source" text not null,
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "updated_at" timestamptz not null default statement_timestamp()
);
alter table "webhook_config" add constraint "webhook_config_webhook_id_event_source_key" unique ("webhook_id", "event_source");

create table "webhook_delivery" (
  "id" bigint generated always as identity not null primary key,
  "webhook_id" bigint not null,
  "activity_id" bigint not null,
  "event_source" text not null,
  "message_id" uuid not null default gen_random_uuid(),
  "status" text not null default 'pending',
  "attempts" int not null default 0,
  "failures" int not null default 0,
  "aside" boolean not null default false,
  "due_at" timestamptz not null default clock_timestamp(),
  "horizon" xid8 not null default greatest(
      pg_snapshot_xmax(pg_current_snapshot()), (pg_current_xact_id()::text::bigint + 1)::text::xid8), "response_status" int null, "error" text null, "created_at" timestamptz not null default statement_timestamp(), "delivered_at" timestamptz null);
create index "webhook_delivery_aside" on "webhook_delivery" ("webhook_id", "due_at") where status = 'pending' AND aside;
create index "webhook_delivery_line" on "webhook_delivery" ("webhook_id", "activity_id") where status = 'pending' AND NOT aside;
create index "webhook_delivery_list" on "webhook_delivery" ("webhook_id", "id");
create index "webhook_delivery_old" on "webhook_delivery" ("created_at") where status <> 'pending';
alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_activity_id_key" unique ("webhook_id", "activity_id");
alter table "webhook_delivery" add constraint "webhook_delivery_status_check" check ("status" in ('pending', 'delivered', 'failed', 'cancelled'));

create table "webhook_delivery_queue" (
  "webhook_id" bigint not null,
  "due_at" timestamptz not null default clock_timestamp(),
  "next_send_at" timestamptz not null default clock_timestamp(),
  "lease_owner" text null,
  "lease_until" timestamptz null,
  "fence" int not null default 0,
  "failing_since" timestamptz null,
  primary key ("webhook_id")
);

create table "workflow_prompt" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (number::text) stored not null,
  "title" text not null,
  "type" text not null,
  "prompt" text not null,
  "variables" text[] not null default '{}',
  "active" boolean not null default true,
  "created_at" timestamptz not null default statement_timestamp(),
  "created_by" bigint null,
  "updated_at" timestamptz not null default statement_timestamp(),
  "updated_by" bigint null
);
CREATE UNIQUE INDEX workflow_prompt_item_id ON workflow_prompt (item_id, organization_id) NULLS NOT DISTINCT;
alter table "workflow_prompt" add constraint "workflow_prompt_type_check" check ("type" in ('survey', 'countermeasure', 'weakness', 'threat', 'report'));

create table "workflow_prompt_context" (
  "id" bigint generated always as identity not null primary key,
  "organization_id" bigint null,
  "number" int not null,
  "item_id" text generated always as (number::text) stored not null,
  "prompt_id" bigint not null,
  "name" text not null,
  "content_type" text not null,
  "reference" text not null default '',
  "text" text not null default '',
  "ordinal" int not null,
  "active" boolean not null default true
);
CREATE UNIQUE INDEX workflow_prompt_context_item_id ON workflow_prompt_context (item_id, organization_id) NULLS NOT DISTINCT;
create index "workflow_prompt_context_prompt" on "workflow_prompt_context" ("prompt_id", "ordinal");
alter table "workflow_prompt_context" add constraint "workflow_prompt_context_content_type_check" check ("content_type" in ('library_item', 'project', 'text'));

alter table "library_change" add constraint "library_change_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "id_counter" add constraint "id_counter_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "glossary_term" add constraint "glossary_term_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "feature_flag" add constraint "feature_flag_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "countermeasure" add constraint "countermeasure_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "how_to" add constraint "how_to_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "how_to" add constraint "how_to_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;

alter table "connector" add constraint "connector_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "component_question" add constraint "component_question_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "component" add constraint "component_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "catalog_import" add constraint "catalog_import_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "attribute" add constraint "attribute_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "attribute" add constraint "attribute_parent_id_fkey" foreign key ("parent_id") references "attribute" ("id") on update no action on delete no action deferrable initially immediate;

alter table "component_answer" add constraint "component_answer_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "component_answer" add constraint "component_answer_question_id_fkey" foreign key ("question_id") references "component_question" ("id") on update no action on delete no action;
alter table "component_answer" add constraint "component_answer_attribute_id_fkey" foreign key ("attribute_id") references "attribute" ("id") on update no action on delete set null;

alter table "attribute_switch" add constraint "attribute_switch_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "attribute_switch" add constraint "attribute_switch_attribute_id_fkey" foreign key ("attribute_id") references "attribute" ("id") on update no action on delete cascade;

alter table "additional_requirement" add constraint "additional_requirement_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "additional_requirement" add constraint "additional_requirement_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;

alter table "activity_hour" add constraint "activity_hour_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "phase" add constraint "phase_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "profile" add constraint "profile_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "regulation" add constraint "regulation_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "regulation_section" add constraint "regulation_section_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "regulation_section" add constraint "regulation_section_regulation_id_fkey" foreign key ("regulation_id") references "regulation" ("id") on update no action on delete cascade;

alter table "regulation_section_countermeasure" add constraint "regulation_section_countermeasure_section_id_fkey" foreign key ("section_id") references "regulation_section" ("id") on update no action on delete cascade;
alter table "regulation_section_countermeasure" add constraint "regulation_section_countermeasure_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;

alter table "risk_policy" add constraint "risk_policy_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "business_unit" add constraint "business_unit_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "business_unit" add constraint "business_unit_default_risk_policy_id_fkey" foreign key ("default_risk_policy_id") references "risk_policy" ("id") on update no action on delete no action;

alter table "application" add constraint "application_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "application" add constraint "application_business_unit_id_fkey" foreign key ("business_unit_id") references "business_unit" ("id") on update no action on delete no action;

alter table "global_role" add constraint "global_role_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "identity_provider" add constraint "identity_provider_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "identity_provider" add constraint "identity_provider_default_role_id_fkey" foreign key ("default_role_id") references "global_role" ("id") on update no action on delete no action;

alter table "user_group" add constraint "user_group_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "user_group" add constraint "user_group_role_id_fkey" foreign key ("role_id") references "global_role" ("id") on update no action on delete no action;

alter table "survey_section" add constraint "survey_section_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "survey_subsection" add constraint "survey_subsection_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "survey_subsection" add constraint "survey_subsection_section_id_fkey" foreign key ("section_id") references "survey_section" ("id") on update no action on delete no action;

alter table "survey_question" add constraint "survey_question_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "survey_question" add constraint "survey_question_subsection_id_fkey" foreign key ("subsection_id") references "survey_subsection" ("id") on update no action on delete no action;

alter table "survey_subquestion" add constraint "survey_subquestion_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "survey_subquestion" add constraint "survey_subquestion_question_id_fkey" foreign key ("question_id") references "survey_question" ("id") on update no action on delete no action;

alter table "survey_answer" add constraint "survey_answer_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "survey_answer" add constraint "survey_answer_question_id_fkey" foreign key ("question_id") references "survey_question" ("id") on update no action on delete no action;
alter table "survey_answer" add constraint "survey_answer_subquestion_id_fkey" foreign key ("subquestion_id") references "survey_subquestion" ("id") on update no action on delete no action;

alter table "threat" add constraint "threat_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "threat_framework_entry" add constraint "threat_framework_entry_framework_id_fkey" foreign key ("framework_id") references "threat_framework" ("id") on update no action on delete cascade;

alter table "training_module" add constraint "training_module_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "training_module_countermeasure" add constraint "training_module_countermeasure_training_module_id_fkey" foreign key ("training_module_id") references "training_module" ("id") on update no action on delete cascade;
alter table "training_module_countermeasure" add constraint "training_module_countermeasure_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;

alter table "trend_application" add constraint "trend_application_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "trend_project" add constraint "trend_project_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "trend_task" add constraint "trend_task_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "trend_task_application" add constraint "trend_task_application_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "trend_task_phase" add constraint "trend_task_phase_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "user_account" add constraint "user_account_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "user_account" add constraint "user_account_role_id_fkey" foreign key ("role_id") references "global_role" ("id") on update no action on delete no action;

alter table "threat_version" add constraint "threat_version_threat_id_fkey" foreign key ("threat_id") references "threat" ("id") on update no action on delete cascade;
alter table "threat_version" add constraint "threat_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "threat_version" add constraint "threat_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "threat_version" add constraint "threat_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "sign_in_address" add constraint "sign_in_address_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "user_session" add constraint "user_session_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;
alter table "user_session" add constraint "user_session_identity_provider_id_fkey" foreign key ("identity_provider_id") references "identity_provider" ("id") on update no action on delete cascade;

alter table "sign_in_attempt" add constraint "sign_in_attempt_provider_id_fkey" foreign key ("provider_id") references "identity_provider" ("id") on update no action on delete cascade;
alter table "sign_in_attempt" add constraint "sign_in_attempt_session_id_fkey" foreign key ("session_id") references "user_session" ("id") on update no action on delete cascade;

alter table "saved_view" add constraint "saved_view_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "saved_view" add constraint "saved_view_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "report" add constraint "report_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "report" add constraint "report_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;

alter table "project" add constraint "project_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "project" add constraint "project_application_id_fkey" foreign key ("application_id") references "application" ("id") on update no action on delete no action;
alter table "project" add constraint "project_profile_id_fkey" foreign key ("profile_id") references "profile" ("id") on update no action on delete no action;
alter table "project" add constraint "project_risk_policy_id_fkey" foreign key ("risk_policy_id") references "risk_policy" ("id") on update no action on delete no action;
alter table "project" add constraint "project_parent_id_fkey" foreign key ("parent_id") references "project" ("id") on update no action on delete set null;
alter table "project" add constraint "project_base_project_id_fkey" foreign key ("base_project_id") references "project" ("id") on update no action on delete set null;
alter table "project" add constraint "project_creator_id_fkey" foreign key ("creator_id") references "user_account" ("id") on update no action on delete no action;
alter table "project" add constraint "project_draft_profile_id_fkey" foreign key ("draft_profile_id") references "profile" ("id") on update no action on delete set null;

alter table "tracker_connection" add constraint "tracker_connection_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "tracker_connection" add constraint "tracker_connection_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "tracker_connection" add constraint "tracker_connection_connector_id_fkey" foreign key ("connector_id") references "connector" ("id") on update no action on delete no action;

alter table "tracker_sync_run" add constraint "tracker_sync_run_connection_id_fkey" foreign key ("connection_id") references "tracker_connection" ("id") on update no action on delete cascade;

alter table "project_threat" add constraint "project_threat_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_threat" add constraint "project_threat_threat_id_fkey" foreign key ("threat_id") references "threat" ("id") on update no action on delete cascade;

alter table "project_survey_comment" add constraint "project_survey_comment_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_survey_comment" add constraint "project_survey_comment_question_id_fkey" foreign key ("question_id") references "survey_question" ("id") on update no action on delete cascade;
alter table "project_survey_comment" add constraint "project_survey_comment_author_id_fkey" foreign key ("author_id") references "user_account" ("id") on update no action on delete no action;

alter table "project_member" add constraint "project_member_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_member" add constraint "project_member_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;
alter table "project_member" add constraint "project_member_group_id_fkey" foreign key ("group_id") references "user_group" ("id") on update no action on delete cascade;
alter table "project_member" add constraint "project_member_identity_provider_id_fkey" foreign key ("identity_provider_id") references "identity_provider" ("id") on update no action on delete no action;

alter table "project_draft_answer" add constraint "project_draft_answer_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_draft_answer" add constraint "project_draft_answer_answer_id_fkey" foreign key ("answer_id") references "survey_answer" ("id") on update no action on delete cascade;

alter table "project_diagram" add constraint "project_diagram_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;

alter table "project_countermeasure" add constraint "project_countermeasure_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "project_countermeasure" add constraint "project_countermeasure_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_countermeasure" add constraint "project_countermeasure_status_id_fkey" foreign key ("status_id") references "task_status" ("id") on update no action on delete no action;
alter table "project_countermeasure" add constraint "project_countermeasure_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;
alter table "project_countermeasure" add constraint "project_countermeasure_phase_id_fkey" foreign key ("phase_id") references "phase" ("id") on update no action on delete no action;
alter table "project_countermeasure" add constraint "project_countermeasure_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "tracked_issue" add constraint "tracked_issue_connection_id_fkey" foreign key ("connection_id") references "tracker_connection" ("id") on update no action on delete cascade;
alter table "tracked_issue" add constraint "tracked_issue_project_countermeasure_id_fkey" foreign key ("project_countermeasure_id") references "project_countermeasure" ("id") on update no action on delete set null;

alter table "project_countermeasure_note" add constraint "project_countermeasure_note_project_countermeasure_id_fkey" foreign key ("project_countermeasure_id") references "project_countermeasure" ("id") on update no action on delete cascade;
alter table "project_countermeasure_note" add constraint "project_countermeasure_note_author_id_fkey" foreign key ("author_id") references "user_account" ("id") on update no action on delete no action;
alter table "project_countermeasure_note" add constraint "project_countermeasure_note_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "project_countermeasure_assignee" add constraint "project_countermeasure_assignee_project_countermeasure_id_fkey" foreign key ("project_countermeasure_id") references "project_countermeasure" ("id") on update no action on delete cascade;
alter table "project_countermeasure_assignee" add constraint "project_countermeasure_assignee_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "project_countermeasure_analysis" add constraint "project_countermeasure_analysis_project_countermeasure_id_fkey" foreign key ("project_countermeasure_id") references "project_countermeasure" ("id") on update no action on delete cascade;
alter table "project_countermeasure_analysis" add constraint "project_countermeasure_analysis_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "project_component" add constraint "project_component_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_component" add constraint "project_component_component_id_fkey" foreign key ("component_id") references "component" ("id") on update no action on delete cascade;

alter table "project_attribute_source" add constraint "project_attribute_source_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_attribute_source" add constraint "project_attribute_source_attribute_id_fkey" foreign key ("attribute_id") references "attribute" ("id") on update no action on delete cascade;
alter table "project_attribute_source" add constraint "project_attribute_source_added_by_fkey" foreign key ("added_by") references "user_account" ("id") on update no action on delete no action;

alter table "project_answer" add constraint "project_answer_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_answer" add constraint "project_answer_answer_id_fkey" foreign key ("answer_id") references "survey_answer" ("id") on update no action on delete cascade;

alter table "onboarding_scan" add constraint "onboarding_scan_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "onboarding_scan" add constraint "onboarding_scan_connector_id_fkey" foreign key ("connector_id") references "connector" ("id") on update no action on delete set null;

alter table "library_upgrade" add constraint "library_upgrade_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "library_upgrade" add constraint "library_upgrade_release_change_id_fkey" foreign key ("release_change_id") references "release_change" ("id") on update no action on delete no action;
alter table "library_upgrade" add constraint "library_upgrade_resolved_by_fkey" foreign key ("resolved_by") references "user_account" ("id") on update no action on delete no action;

alter table "invitation" add constraint "invitation_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "import_job" add constraint "import_job_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "import_job" add constraint "import_job_triggered_by_fkey" foreign key ("triggered_by") references "user_account" ("id") on update no action on delete no action;
alter table "import_job" add constraint "import_job_accepted_by_fkey" foreign key ("accepted_by") references "user_account" ("id") on update no action on delete no action;

alter table "import_row" add constraint "import_row_job_id_fkey" foreign key ("job_id") references "import_job" ("id") on update no action on delete cascade;

alter table "idempotency_key" add constraint "idempotency_key_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "idempotency_key" add constraint "idempotency_key_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "how_to_version" add constraint "how_to_version_how_to_id_fkey" foreign key ("how_to_id") references "how_to" ("id") on update no action on delete cascade;
alter table "how_to_version" add constraint "how_to_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "how_to_version" add constraint "how_to_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "how_to_version" add constraint "how_to_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "group_member" add constraint "group_member_group_id_fkey" foreign key ("group_id") references "user_group" ("id") on update no action on delete cascade;
alter table "group_member" add constraint "group_member_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;
alter table "group_member" add constraint "group_member_identity_provider_id_fkey" foreign key ("identity_provider_id") references "identity_provider" ("id") on update no action on delete no action;

alter table "export_job" add constraint "export_job_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "export_job" add constraint "export_job_triggered_by_fkey" foreign key ("triggered_by") references "user_account" ("id") on update no action on delete no action;

alter table "component_version" add constraint "component_version_component_id_fkey" foreign key ("component_id") references "component" ("id") on update no action on delete cascade;
alter table "component_version" add constraint "component_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "component_version" add constraint "component_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "component_version" add constraint "component_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;
alter table "component_version" add constraint "component_version_answer_id_fkey" foreign key ("answer_id") references "survey_answer" ("id") on update no action on delete no action;

alter table "business_unit_member" add constraint "business_unit_member_business_unit_id_fkey" foreign key ("business_unit_id") references "business_unit" ("id") on update no action on delete cascade;
alter table "business_unit_member" add constraint "business_unit_member_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;
alter table "business_unit_member" add constraint "business_unit_member_group_id_fkey" foreign key ("group_id") references "user_group" ("id") on update no action on delete cascade;
alter table "business_unit_member" add constraint "business_unit_member_identity_provider_id_fkey" foreign key ("identity_provider_id") references "identity_provider" ("id") on update no action on delete no action;

alter table "api_token" add constraint "api_token_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "additional_requirement_version" add constraint "additional_requirement_version_additional_requirement_id_fkey" foreign key ("additional_requirement_id") references "additional_requirement" ("id") on update no action on delete cascade;
alter table "additional_requirement_version" add constraint "additional_requirement_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "additional_requirement_version" add constraint "additional_requirement_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "additional_requirement_version" add constraint "additional_requirement_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "activity" add constraint "activity_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "activity" add constraint "activity_actor_id_fkey" foreign key ("actor_id") references "user_account" ("id") on update no action on delete no action;

alter table "user_identity" add constraint "user_identity_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;
alter table "user_identity" add constraint "user_identity_provider_id_fkey" foreign key ("provider_id") references "identity_provider" ("id") on update no action on delete cascade;
alter table "user_identity" add constraint "user_identity_role_id_fkey" foreign key ("role_id") references "global_role" ("id") on update no action on delete set null;

alter table "user_preferences" add constraint "user_preferences_user_id_fkey" foreign key ("user_id") references "user_account" ("id") on update no action on delete cascade;

alter table "verification_connection" add constraint "verification_connection_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "verification_connection" add constraint "verification_connection_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "verification_connection" add constraint "verification_connection_connector_id_fkey" foreign key ("connector_id") references "connector" ("id") on update no action on delete no action;

alter table "weakness" add constraint "weakness_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "rule_mapping" add constraint "rule_mapping_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "rule_mapping" add constraint "rule_mapping_weakness_id_fkey" foreign key ("weakness_id") references "weakness" ("id") on update no action on delete cascade;

alter table "project_weakness" add constraint "project_weakness_project_id_fkey" foreign key ("project_id") references "project" ("id") on update no action on delete cascade;
alter table "project_weakness" add constraint "project_weakness_weakness_id_fkey" foreign key ("weakness_id") references "weakness" ("id") on update no action on delete cascade;

alter table "countermeasure_version" add constraint "countermeasure_version_countermeasure_id_fkey" foreign key ("countermeasure_id") references "countermeasure" ("id") on update no action on delete cascade;
alter table "countermeasure_version" add constraint "countermeasure_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "countermeasure_version" add constraint "countermeasure_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "countermeasure_version" add constraint "countermeasure_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;
alter table "countermeasure_version" add constraint "countermeasure_version_weakness_id_fkey" foreign key ("weakness_id") references "weakness" ("id") on update no action on delete no action;
alter table "countermeasure_version" add constraint "countermeasure_version_phase_id_fkey" foreign key ("phase_id") references "phase" ("id") on update no action on delete no action;

alter table "weakness_version" add constraint "weakness_version_weakness_id_fkey" foreign key ("weakness_id") references "weakness" ("id") on update no action on delete cascade;
alter table "weakness_version" add constraint "weakness_version_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "weakness_version" add constraint "weakness_version_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "weakness_version" add constraint "weakness_version_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "match_condition" add constraint "match_condition_weakness_version_id_fkey" foreign key ("weakness_version_id") references "weakness_version" ("id") on update no action on delete cascade;
alter table "match_condition" add constraint "match_condition_countermeasure_version_id_fkey" foreign key ("countermeasure_version_id") references "countermeasure_version" ("id") on update no action on delete cascade;
alter table "match_condition" add constraint "match_condition_additional_requirement_version_id_fkey" foreign key ("additional_requirement_version_id") references "additional_requirement_version" ("id") on update no action on delete cascade;
alter table "match_condition" add constraint "match_condition_how_to_version_id_fkey" foreign key ("how_to_version_id") references "how_to_version" ("id") on update no action on delete cascade;
alter table "match_condition" add constraint "match_condition_threat_version_id_fkey" foreign key ("threat_version_id") references "threat_version" ("id") on update no action on delete cascade;

alter table "webhook" add constraint "webhook_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;

alter table "webhook_config" add constraint "webhook_config_webhook_id_fkey" foreign key ("webhook_id") references "webhook" ("id") on update no action on delete cascade;

alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_fkey" foreign key ("webhook_id") references "webhook" ("id") on update no action on delete cascade;

alter table "webhook_delivery_queue" add constraint "webhook_delivery_queue_webhook_id_fkey" foreign key ("webhook_id") references "webhook" ("id") on update no action on delete cascade;

alter table "workflow_prompt" add constraint "workflow_prompt_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "workflow_prompt" add constraint "workflow_prompt_created_by_fkey" foreign key ("created_by") references "user_account" ("id") on update no action on delete no action;
alter table "workflow_prompt" add constraint "workflow_prompt_updated_by_fkey" foreign key ("updated_by") references "user_account" ("id") on update no action on delete no action;

alter table "workflow_prompt_context" add constraint "workflow_prompt_context_organization_id_fkey" foreign key ("organization_id") references "organization" ("id") on update no action on delete no action;
alter table "workflow_prompt_context" add constraint "workflow_prompt_context_prompt_id_fkey" foreign key ("prompt_id") references "workflow_prompt" ("id") on update no action on delete cascade;

alter table "organization" enable row level security;
alter table "organization" force row level security;
create policy "read" on "organization" for select using (true);
create policy "read_bound" on "organization" as restrictive for select to "merlon_organization" using (id = (SELECT bound_organization()));
create policy "insert" on "organization" for insert with check (id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "organization" for update using (id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "organization" for delete using (id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "library_change" enable row level security;
alter table "library_change" force row level security;
create policy "read" on "library_change" for select using (true);
create policy "read_bound" on "library_change" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "library_change" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "library_change" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "library_change" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "id_counter" enable row level security;
alter table "id_counter" force row level security;
create policy "read" on "id_counter" for select using (true);
create policy "read_bound" on "id_counter" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "id_counter" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "id_counter" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "id_counter" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "glossary_term" enable row level security;
alter table "glossary_term" force row level security;
create policy "read" on "glossary_term" for select using (true);
create policy "read_bound" on "glossary_term" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "glossary_term" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "glossary_term" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "glossary_term" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "feature_flag" enable row level security;
alter table "feature_flag" force row level security;
create policy "read" on "feature_flag" for select using (true);
create policy "read_bound" on "feature_flag" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "feature_flag" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "feature_flag" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "feature_flag" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "countermeasure" enable row level security;
alter table "countermeasure" force row level security;
create policy "read" on "countermeasure" for select using (true);
create policy "read_bound" on "countermeasure" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "countermeasure" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "countermeasure" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "countermeasure" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "how_to" enable row level security;
alter table "how_to" force row level security;
create policy "read" on "how_to" for select using (true);
create policy "read_bound" on "how_to" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "how_to" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "how_to" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "how_to" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "connector" enable row level security;
alter table "connector" force row level security;
create policy "read" on "connector" for select using (true);
create policy "read_bound" on "connector" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "connector" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "connector" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "connector" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "component_question" enable row level security;
alter table "component_question" force row level security;
create policy "read" on "component_question" for select using (true);
create policy "read_bound" on "component_question" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "component_question" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "component_question" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "component_question" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "component" enable row level security;
alter table "component" force row level security;
create policy "read" on "component" for select using (true);
create policy "read_bound" on "component" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "component" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "component" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "component" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "catalog_import" enable row level security;
alter table "catalog_import" force row level security;
create policy "read" on "catalog_import" for select using (true);
create policy "read_bound" on "catalog_import" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "catalog_import" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "catalog_import" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "catalog_import" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "attribute" enable row level security;
alter table "attribute" force row level security;
create policy "read" on "attribute" for select using (true);
create policy "read_bound" on "attribute" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "attribute" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "attribute" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "attribute" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "component_answer" enable row level security;
alter table "component_answer" force row level security;
create policy "read" on "component_answer" for select using (true);
create policy "read_bound" on "component_answer" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "component_answer" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "component_answer" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "component_answer" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "attribute_switch" enable row level security;
alter table "attribute_switch" force row level security;
create policy "read" on "attribute_switch" for select using (true);
create policy "read_bound" on "attribute_switch" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "attribute_switch" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "attribute_switch" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "attribute_switch" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "additional_requirement" enable row level security;
alter table "additional_requirement" force row level security;
create policy "read" on "additional_requirement" for select using (true);
create policy "read_bound" on "additional_requirement" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "additional_requirement" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "additional_requirement" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "additional_requirement" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "activity_hour" enable row level security;
alter table "activity_hour" force row level security;
create policy "read" on "activity_hour" for select using (true);
create policy "read_bound" on "activity_hour" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "activity_hour" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "activity_hour" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "activity_hour" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "phase" enable row level security;
alter table "phase" force row level security;
create policy "read" on "phase" for select using (true);
create policy "read_bound" on "phase" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "phase" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "phase" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "phase" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "profile" enable row level security;
alter table "profile" force row level security;
create policy "read" on "profile" for select using (true);
create policy "read_bound" on "profile" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "profile" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "profile" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "profile" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "regulation" enable row level security;
alter table "regulation" force row level security;
create policy "read" on "regulation" for select using (true);
create policy "read_bound" on "regulation" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "regulation" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "regulation" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "regulation" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "regulation_section" enable row level security;
alter table "regulation_section" force row level security;
create policy "read" on "regulation_section" for select using (true);
create policy "read_bound" on "regulation_section" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "regulation_section" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "regulation_section" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "regulation_section" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "regulation_section_countermeasure" enable row level security;
alter table "regulation_section_countermeasure" force row level security;
create policy "read" on "regulation_section_countermeasure" for select using (true);
create policy "insert" on "regulation_section_countermeasure" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM regulation_section WHERE regulation_section.id = regulation_section_countermeasure.section_id AND regulation_section.organization_id = (SELECT bound_organization())));
create policy "update" on "regulation_section_countermeasure" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM regulation_section WHERE regulation_section.id = regulation_section_countermeasure.section_id AND regulation_section.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM regulation_section WHERE regulation_section.id = regulation_section_countermeasure.section_id AND regulation_section.organization_id = (SELECT bound_organization())));
create policy "delete" on "regulation_section_countermeasure" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM regulation_section WHERE regulation_section.id = regulation_section_countermeasure.section_id AND regulation_section.organization_id = (SELECT bound_organization())));
alter table "risk_policy" enable row level security;
alter table "risk_policy" force row level security;
create policy "read" on "risk_policy" for select using (true);
create policy "read_bound" on "risk_policy" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "risk_policy" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "risk_policy" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "risk_policy" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "business_unit" enable row level security;
alter table "business_unit" force row level security;
create policy "read" on "business_unit" for select using (true);
create policy "read_bound" on "business_unit" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "business_unit" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "business_unit" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "business_unit" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "application" enable row level security;
alter table "application" force row level security;
create policy "read" on "application" for select using (true);
create policy "read_bound" on "application" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "application" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "application" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "application" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "global_role" enable row level security;
alter table "global_role" force row level security;
create policy "read" on "global_role" for select using (true);
create policy "read_bound" on "global_role" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "global_role" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "global_role" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "global_role" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "identity_provider" enable row level security;
alter table "identity_provider" force row level security;
create policy "read" on "identity_provider" for select using (true);
create policy "read_bound" on "identity_provider" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "identity_provider" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "identity_provider" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "identity_provider" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "user_group" enable row level security;
alter table "user_group" force row level security;
create policy "read" on "user_group" for select using (true);
create policy "read_bound" on "user_group" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "user_group" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "user_group" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "user_group" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "survey_section" enable row level security;
alter table "survey_section" force row level security;
create policy "read" on "survey_section" for select using (true);
create policy "read_bound" on "survey_section" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "survey_section" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "survey_section" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "survey_section" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "survey_subsection" enable row level security;
alter table "survey_subsection" force row level security;
create policy "read" on "survey_subsection" for select using (true);
create policy "read_bound" on "survey_subsection" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "survey_subsection" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "survey_subsection" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "survey_subsection" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "survey_question" enable row level security;
alter table "survey_question" force row level security;
create policy "read" on "survey_question" for select using (true);
create policy "read_bound" on "survey_question" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "survey_question" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "survey_question" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "survey_question" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "survey_subquestion" enable row level security;
alter table "survey_subquestion" force row level security;
create policy "read" on "survey_subquestion" for select using (true);
create policy "read_bound" on "survey_subquestion" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "survey_subquestion" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "survey_subquestion" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "survey_subquestion" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "survey_answer" enable row level security;
alter table "survey_answer" force row level security;
create policy "read" on "survey_answer" for select using (true);
create policy "read_bound" on "survey_answer" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "survey_answer" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "survey_answer" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "survey_answer" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "threat" enable row level security;
alter table "threat" force row level security;
create policy "read" on "threat" for select using (true);
create policy "read_bound" on "threat" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "threat" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "threat" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "threat" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "training_module" enable row level security;
alter table "training_module" force row level security;
create policy "read" on "training_module" for select using (true);
create policy "read_bound" on "training_module" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "training_module" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "training_module" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "training_module" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "training_module_countermeasure" enable row level security;
alter table "training_module_countermeasure" force row level security;
create policy "read" on "training_module_countermeasure" for select using (true);
create policy "insert" on "training_module_countermeasure" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM training_module WHERE training_module.id = training_module_countermeasure.training_module_id AND training_module.organization_id = (SELECT bound_organization())));
create policy "update" on "training_module_countermeasure" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM training_module WHERE training_module.id = training_module_countermeasure.training_module_id AND training_module.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM training_module WHERE training_module.id = training_module_countermeasure.training_module_id AND training_module.organization_id = (SELECT bound_organization())));
create policy "delete" on "training_module_countermeasure" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM training_module WHERE training_module.id = training_module_countermeasure.training_module_id AND training_module.organization_id = (SELECT bound_organization())));
alter table "trend_application" enable row level security;
alter table "trend_application" force row level security;
create policy "read" on "trend_application" for select using (true);
create policy "read_bound" on "trend_application" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "trend_application" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "trend_application" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "trend_application" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "trend_project" enable row level security;
alter table "trend_project" force row level security;
create policy "read" on "trend_project" for select using (true);
create policy "read_bound" on "trend_project" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "trend_project" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "trend_project" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "trend_project" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "trend_task" enable row level security;
alter table "trend_task" force row level security;
create policy "read" on "trend_task" for select using (true);
create policy "read_bound" on "trend_task" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "trend_task" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "trend_task" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "trend_task" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "trend_task_application" enable row level security;
alter table "trend_task_application" force row level security;
create policy "read" on "trend_task_application" for select using (true);
create policy "read_bound" on "trend_task_application" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "trend_task_application" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "trend_task_application" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "trend_task_application" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "trend_task_phase" enable row level security;
alter table "trend_task_phase" force row level security;
create policy "read" on "trend_task_phase" for select using (true);
create policy "read_bound" on "trend_task_phase" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "trend_task_phase" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "trend_task_phase" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "trend_task_phase" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "user_account" enable row level security;
alter table "user_account" force row level security;
create policy "read" on "user_account" for select using (true);
create policy "read_bound" on "user_account" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "user_account" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "user_account" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "user_account" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "threat_version" enable row level security;
alter table "threat_version" force row level security;
create policy "read" on "threat_version" for select using (true);
create policy "read_bound" on "threat_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "threat_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "threat_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "threat_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "sign_in_address" enable row level security;
alter table "sign_in_address" force row level security;
create policy "read" on "sign_in_address" for select using (true);
create policy "insert" on "sign_in_address" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = sign_in_address.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "sign_in_address" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = sign_in_address.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = sign_in_address.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "sign_in_address" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = sign_in_address.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "user_session" enable row level security;
alter table "user_session" force row level security;
create policy "read" on "user_session" for select using (true);
create policy "read_bound" on "user_session" as restrictive for select to "merlon_organization" using (EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_session.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "insert" on "user_session" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_session.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "user_session" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_session.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_session.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "user_session" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_session.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "sign_in_attempt" enable row level security;
alter table "sign_in_attempt" force row level security;
create policy "read" on "sign_in_attempt" for select using (true);
create policy "insert" on "sign_in_attempt" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM identity_provider WHERE identity_provider.id = sign_in_attempt.provider_id AND identity_provider.organization_id = (SELECT bound_organization())));
create policy "update" on "sign_in_attempt" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM identity_provider WHERE identity_provider.id = sign_in_attempt.provider_id AND identity_provider.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM identity_provider WHERE identity_provider.id = sign_in_attempt.provider_id AND identity_provider.organization_id = (SELECT bound_organization())));
create policy "delete" on "sign_in_attempt" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM identity_provider WHERE identity_provider.id = sign_in_attempt.provider_id AND identity_provider.organization_id = (SELECT bound_organization())));
alter table "saved_view" enable row level security;
alter table "saved_view" force row level security;
create policy "read" on "saved_view" for select using (true);
create policy "read_bound" on "saved_view" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "saved_view" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "saved_view" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "saved_view" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "report" enable row level security;
alter table "report" force row level security;
create policy "read" on "report" for select using (true);
create policy "read_bound" on "report" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "report" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "report" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "report" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "project" enable row level security;
alter table "project" force row level security;
create policy "read" on "project" for select using (true);
create policy "read_bound" on "project" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "project" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "project" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "project" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "tracker_connection" enable row level security;
alter table "tracker_connection" force row level security;
create policy "read" on "tracker_connection" for select using (true);
create policy "read_bound" on "tracker_connection" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "tracker_connection" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "tracker_connection" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "tracker_connection" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "tracker_sync_run" enable row level security;
alter table "tracker_sync_run" force row level security;
create policy "read" on "tracker_sync_run" for select using (true);
create policy "insert" on "tracker_sync_run" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracker_sync_run.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
create policy "update" on "tracker_sync_run" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracker_sync_run.connection_id AND tracker_connection.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracker_sync_run.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
create policy "delete" on "tracker_sync_run" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracker_sync_run.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
alter table "project_threat" enable row level security;
alter table "project_threat" force row level security;
create policy "read" on "project_threat" for select using (true);
create policy "insert" on "project_threat" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_threat.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_threat" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_threat.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_threat.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_threat" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_threat.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_survey_comment" enable row level security;
alter table "project_survey_comment" force row level security;
create policy "read" on "project_survey_comment" for select using (true);
create policy "insert" on "project_survey_comment" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_survey_comment.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_survey_comment" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_survey_comment.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_survey_comment.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_survey_comment" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_survey_comment.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_member" enable row level security;
alter table "project_member" force row level security;
create policy "read" on "project_member" for select using (true);
create policy "insert" on "project_member" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_member.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_member" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_member.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_member.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_member" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_member.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_draft_answer" enable row level security;
alter table "project_draft_answer" force row level security;
create policy "read" on "project_draft_answer" for select using (true);
create policy "insert" on "project_draft_answer" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_draft_answer.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_draft_answer" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_draft_answer.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_draft_answer.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_draft_answer" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_draft_answer.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_diagram" enable row level security;
alter table "project_diagram" force row level security;
create policy "read" on "project_diagram" for select using (true);
create policy "insert" on "project_diagram" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_diagram.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_diagram" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_diagram.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_diagram.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_diagram" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_diagram.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_countermeasure" enable row level security;
alter table "project_countermeasure" force row level security;
create policy "read" on "project_countermeasure" for select using (true);
create policy "read_bound" on "project_countermeasure" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "project_countermeasure" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "project_countermeasure" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "project_countermeasure" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "tracked_issue" enable row level security;
alter table "tracked_issue" force row level security;
create policy "read" on "tracked_issue" for select using (true);
create policy "insert" on "tracked_issue" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracked_issue.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
create policy "update" on "tracked_issue" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracked_issue.connection_id AND tracker_connection.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracked_issue.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
create policy "delete" on "tracked_issue" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM tracker_connection WHERE tracker_connection.id = tracked_issue.connection_id AND tracker_connection.organization_id = (SELECT bound_organization())));
alter table "project_countermeasure_note" enable row level security;
alter table "project_countermeasure_note" force row level security;
create policy "read" on "project_countermeasure_note" for select using (true);
create policy "insert" on "project_countermeasure_note" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_note.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "update" on "project_countermeasure_note" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_note.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_note.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_countermeasure_note" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_note.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
alter table "project_countermeasure_assignee" enable row level security;
alter table "project_countermeasure_assignee" force row level security;
create policy "read" on "project_countermeasure_assignee" for select using (true);
create policy "insert" on "project_countermeasure_assignee" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_assignee.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "update" on "project_countermeasure_assignee" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_assignee.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_assignee.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_countermeasure_assignee" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_assignee.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
alter table "project_countermeasure_analysis" enable row level security;
alter table "project_countermeasure_analysis" force row level security;
create policy "read" on "project_countermeasure_analysis" for select using (true);
create policy "insert" on "project_countermeasure_analysis" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_analysis.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "update" on "project_countermeasure_analysis" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_analysis.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_analysis.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_countermeasure_analysis" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project_countermeasure WHERE project_countermeasure.id = project_countermeasure_analysis.project_countermeasure_id AND project_countermeasure.organization_id = (SELECT bound_organization())));
alter table "project_component" enable row level security;
alter table "project_component" force row level security;
create policy "read" on "project_component" for select using (true);
create policy "insert" on "project_component" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_component.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_component" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_component.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_component.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_component" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_component.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_attribute_source" enable row level security;
alter table "project_attribute_source" force row level security;
create policy "read" on "project_attribute_source" for select using (true);
create policy "insert" on "project_attribute_source" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_attribute_source.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_attribute_source" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_attribute_source.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_attribute_source.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_attribute_source" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_attribute_source.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "project_answer" enable row level security;
alter table "project_answer" force row level security;
create policy "read" on "project_answer" for select using (true);
create policy "insert" on "project_answer" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_answer.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_answer" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_answer.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_answer.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_answer" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_answer.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "onboarding_scan" enable row level security;
alter table "onboarding_scan" force row level security;
create policy "read" on "onboarding_scan" for select using (true);
create policy "insert" on "onboarding_scan" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = onboarding_scan.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "onboarding_scan" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = onboarding_scan.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = onboarding_scan.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "onboarding_scan" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = onboarding_scan.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "library_upgrade" enable row level security;
alter table "library_upgrade" force row level security;
create policy "read" on "library_upgrade" for select using (true);
create policy "read_bound" on "library_upgrade" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "library_upgrade" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "library_upgrade" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "library_upgrade" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "invitation" enable row level security;
alter table "invitation" force row level security;
create policy "read" on "invitation" for select using (true);
create policy "read_bound" on "invitation" as restrictive for select to "merlon_organization" using (EXISTS (SELECT 1 FROM user_account WHERE user_account.id = invitation.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "insert" on "invitation" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = invitation.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "invitation" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = invitation.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = invitation.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "invitation" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = invitation.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "import_job" enable row level security;
alter table "import_job" force row level security;
create policy "read" on "import_job" for select using (true);
create policy "read_bound" on "import_job" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "import_job" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "import_job" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "import_job" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "import_row" enable row level security;
alter table "import_row" force row level security;
create policy "read" on "import_row" for select using (true);
create policy "insert" on "import_row" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM import_job WHERE import_job.id = import_row.job_id AND import_job.organization_id = (SELECT bound_organization())));
create policy "update" on "import_row" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM import_job WHERE import_job.id = import_row.job_id AND import_job.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM import_job WHERE import_job.id = import_row.job_id AND import_job.organization_id = (SELECT bound_organization())));
create policy "delete" on "import_row" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM import_job WHERE import_job.id = import_row.job_id AND import_job.organization_id = (SELECT bound_organization())));
alter table "idempotency_key" enable row level security;
alter table "idempotency_key" force row level security;
create policy "read" on "idempotency_key" for select using (true);
create policy "read_bound" on "idempotency_key" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "idempotency_key" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "idempotency_key" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "idempotency_key" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "how_to_version" enable row level security;
alter table "how_to_version" force row level security;
create policy "read" on "how_to_version" for select using (true);
create policy "read_bound" on "how_to_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "how_to_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "how_to_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "how_to_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "group_member" enable row level security;
alter table "group_member" force row level security;
create policy "read" on "group_member" for select using (true);
create policy "insert" on "group_member" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_group WHERE user_group.id = group_member.group_id AND user_group.organization_id = (SELECT bound_organization())));
create policy "update" on "group_member" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_group WHERE user_group.id = group_member.group_id AND user_group.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_group WHERE user_group.id = group_member.group_id AND user_group.organization_id = (SELECT bound_organization())));
create policy "delete" on "group_member" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_group WHERE user_group.id = group_member.group_id AND user_group.organization_id = (SELECT bound_organization())));
alter table "export_job" enable row level security;
alter table "export_job" force row level security;
create policy "read" on "export_job" for select using (true);
create policy "read_bound" on "export_job" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "export_job" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "export_job" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "export_job" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "component_version" enable row level security;
alter table "component_version" force row level security;
create policy "read" on "component_version" for select using (true);
create policy "read_bound" on "component_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "component_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "component_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "component_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "business_unit_member" enable row level security;
alter table "business_unit_member" force row level security;
create policy "read" on "business_unit_member" for select using (true);
create policy "insert" on "business_unit_member" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM business_unit WHERE business_unit.id = business_unit_member.business_unit_id AND business_unit.organization_id = (SELECT bound_organization())));
create policy "update" on "business_unit_member" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM business_unit WHERE business_unit.id = business_unit_member.business_unit_id AND business_unit.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM business_unit WHERE business_unit.id = business_unit_member.business_unit_id AND business_unit.organization_id = (SELECT bound_organization())));
create policy "delete" on "business_unit_member" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM business_unit WHERE business_unit.id = business_unit_member.business_unit_id AND business_unit.organization_id = (SELECT bound_organization())));
alter table "api_token" enable row level security;
alter table "api_token" force row level security;
create policy "read" on "api_token" for select using (true);
create policy "read_bound" on "api_token" as restrictive for select to "merlon_organization" using (EXISTS (SELECT 1 FROM user_account WHERE user_account.id = api_token.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "insert" on "api_token" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = api_token.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "api_token" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = api_token.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = api_token.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "api_token" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = api_token.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "additional_requirement_version" enable row level security;
alter table "additional_requirement_version" force row level security;
create policy "read" on "additional_requirement_version" for select using (true);
create policy "read_bound" on "additional_requirement_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "additional_requirement_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "additional_requirement_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "additional_requirement_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "activity" enable row level security;
alter table "activity" force row level security;
create policy "read" on "activity" for select using (true);
create policy "read_bound" on "activity" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "activity" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "activity" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "activity" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "user_identity" enable row level security;
alter table "user_identity" force row level security;
create policy "read" on "user_identity" for select using (true);
create policy "insert" on "user_identity" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_identity.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "user_identity" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_identity.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_identity.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "user_identity" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_identity.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "user_preferences" enable row level security;
alter table "user_preferences" force row level security;
create policy "read" on "user_preferences" for select using (true);
create policy "insert" on "user_preferences" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_preferences.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "update" on "user_preferences" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_preferences.user_id AND user_account.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_preferences.user_id AND user_account.organization_id = (SELECT bound_organization())));
create policy "delete" on "user_preferences" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM user_account WHERE user_account.id = user_preferences.user_id AND user_account.organization_id = (SELECT bound_organization())));
alter table "verification_connection" enable row level security;
alter table "verification_connection" force row level security;
create policy "read" on "verification_connection" for select using (true);
create policy "read_bound" on "verification_connection" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "verification_connection" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "verification_connection" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "verification_connection" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "weakness" enable row level security;
alter table "weakness" force row level security;
create policy "read" on "weakness" for select using (true);
create policy "read_bound" on "weakness" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "weakness" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "weakness" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "weakness" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "rule_mapping" enable row level security;
alter table "rule_mapping" force row level security;
create policy "read" on "rule_mapping" for select using (true);
create policy "read_bound" on "rule_mapping" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "rule_mapping" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "rule_mapping" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "rule_mapping" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "project_weakness" enable row level security;
alter table "project_weakness" force row level security;
create policy "read" on "project_weakness" for select using (true);
create policy "insert" on "project_weakness" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_weakness.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "update" on "project_weakness" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_weakness.project_id AND project.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_weakness.project_id AND project.organization_id = (SELECT bound_organization())));
create policy "delete" on "project_weakness" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM project WHERE project.id = project_weakness.project_id AND project.organization_id = (SELECT bound_organization())));
alter table "countermeasure_version" enable row level security;
alter table "countermeasure_version" force row level security;
create policy "read" on "countermeasure_version" for select using (true);
create policy "read_bound" on "countermeasure_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "countermeasure_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "countermeasure_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "countermeasure_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "weakness_version" enable row level security;
alter table "weakness_version" force row level security;
create policy "read" on "weakness_version" for select using (true);
create policy "read_bound" on "weakness_version" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "weakness_version" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "weakness_version" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "weakness_version" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "match_condition" enable row level security;
alter table "match_condition" force row level security;
create policy "read" on "match_condition" for select using (true);
create policy "insert" on "match_condition" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM countermeasure_version WHERE countermeasure_version.id = match_condition.countermeasure_version_id AND countermeasure_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM weakness_version WHERE weakness_version.id = match_condition.weakness_version_id AND weakness_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM additional_requirement_version WHERE additional_requirement_version.id = match_condition.additional_requirement_version_id AND additional_requirement_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM how_to_version WHERE how_to_version.id = match_condition.how_to_version_id AND how_to_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM threat_version WHERE threat_version.id = match_condition.threat_version_id AND threat_version.organization_id = (SELECT bound_organization())));
create policy "update" on "match_condition" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM countermeasure_version WHERE countermeasure_version.id = match_condition.countermeasure_version_id AND countermeasure_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM weakness_version WHERE weakness_version.id = match_condition.weakness_version_id AND weakness_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM additional_requirement_version WHERE additional_requirement_version.id = match_condition.additional_requirement_version_id AND additional_requirement_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM how_to_version WHERE how_to_version.id = match_condition.how_to_version_id AND how_to_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM threat_version WHERE threat_version.id = match_condition.threat_version_id AND threat_version.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM countermeasure_version WHERE countermeasure_version.id = match_condition.countermeasure_version_id AND countermeasure_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM weakness_version WHERE weakness_version.id = match_condition.weakness_version_id AND weakness_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM additional_requirement_version WHERE additional_requirement_version.id = match_condition.additional_requirement_version_id AND additional_requirement_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM how_to_version WHERE how_to_version.id = match_condition.how_to_version_id AND how_to_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM threat_version WHERE threat_version.id = match_condition.threat_version_id AND threat_version.organization_id = (SELECT bound_organization())));
create policy "delete" on "match_condition" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM countermeasure_version WHERE countermeasure_version.id = match_condition.countermeasure_version_id AND countermeasure_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM weakness_version WHERE weakness_version.id = match_condition.weakness_version_id AND weakness_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM additional_requirement_version WHERE additional_requirement_version.id = match_condition.additional_requirement_version_id AND additional_requirement_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM how_to_version WHERE how_to_version.id = match_condition.how_to_version_id AND how_to_version.organization_id = (SELECT bound_organization())) OR EXISTS (SELECT 1 FROM threat_version WHERE threat_version.id = match_condition.threat_version_id AND threat_version.organization_id = (SELECT bound_organization())));
alter table "webhook" enable row level security;
alter table "webhook" force row level security;
create policy "read" on "webhook" for select using (true);
create policy "read_bound" on "webhook" as restrictive for select to "merlon_organization" using (organization_id = (SELECT bound_organization()));
create policy "insert" on "webhook" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "webhook" for update using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "webhook" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "webhook_config" enable row level security;
alter table "webhook_config" force row level security;
create policy "read" on "webhook_config" for select using (true);
create policy "insert" on "webhook_config" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_config.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "update" on "webhook_config" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_config.webhook_id AND webhook.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_config.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "delete" on "webhook_config" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_config.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
alter table "webhook_delivery" enable row level security;
alter table "webhook_delivery" force row level security;
create policy "read" on "webhook_delivery" for select using (true);
create policy "insert" on "webhook_delivery" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "update" on "webhook_delivery" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id AND webhook.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "delete" on "webhook_delivery" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
alter table "webhook_delivery_queue" enable row level security;
alter table "webhook_delivery_queue" force row level security;
create policy "read" on "webhook_delivery_queue" for select using (true);
create policy "insert" on "webhook_delivery_queue" for insert with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery_queue.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "update" on "webhook_delivery_queue" for update using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery_queue.webhook_id AND webhook.organization_id = (SELECT bound_organization()))) with check ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery_queue.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
create policy "delete" on "webhook_delivery_queue" for delete using ((SELECT bound_to_every_organization()) OR EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery_queue.webhook_id AND webhook.organization_id = (SELECT bound_organization())));
alter table "workflow_prompt" enable row level security;
alter table "workflow_prompt" force row level security;
create policy "read" on "workflow_prompt" for select using (true);
create policy "read_bound" on "workflow_prompt" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "workflow_prompt" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "workflow_prompt" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "workflow_prompt" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
alter table "workflow_prompt_context" enable row level security;
alter table "workflow_prompt_context" force row level security;
create policy "read" on "workflow_prompt_context" for select using (true);
create policy "read_bound" on "workflow_prompt_context" as restrictive for select to "merlon_organization" using (organization_id IS NULL OR organization_id = (SELECT bound_organization()));
create policy "insert" on "workflow_prompt_context" for insert with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "update" on "workflow_prompt_context" for update using (organization_id IS NULL OR organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization())) with check (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
create policy "delete" on "workflow_prompt_context" for delete using (organization_id = (SELECT bound_organization()) OR (SELECT bound_to_every_organization()));
