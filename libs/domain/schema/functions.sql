-- Functions, which the first migration creates before the tables in tables.sql.

-- A trigger and not a default, so that restored rows get the id of the restoring transaction: transaction ids have no
-- meaning in another database cluster.
CREATE FUNCTION activity_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.transaction_id := pg_current_xact_id();
  RETURN NEW;
END $$;

-- Records a change of the library of these organizations, or of all if one is null: docs/use/project-content.md.
-- Wakes the relay through the channel in libs/domain/src/kernel/lease/wake-relay.ts.
CREATE FUNCTION note_library_change(owners bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO library_change (organization_id)
  SELECT id FROM organization WHERE id = ANY(owners) OR array_position(owners, NULL) IS NOT NULL;
  IF FOUND THEN PERFORM pg_notify('merlon_due', ''); END IF;
END $$;

-- One trigger function for each table that determines the content of projects. In the transaction of a change, it
-- records the affected organizations, once per statement. Only changes of the columns that it compares count. `changed`
-- contains the rows that were inserted, updated or deleted.

CREATE FUNCTION note_change_of_attribute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.active) IS DISTINCT FROM (changed.active);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_attribute_switch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.organization_id, former.attribute_id) = (changed.organization_id, changed.attribute_id)
    WHERE (former.active) IS DISTINCT FROM (changed.active);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_component_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.active, former.answer_id) IS DISTINCT FROM (changed.active, changed.answer_id);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_countermeasure_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.active, former.weakness_id, former.phase_id, former.priority, former.level,
      former.tags)
      IS DISTINCT FROM (changed.active, changed.weakness_id, changed.phase_id, changed.priority,
        changed.level, changed.tags);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_feature_flag() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN (VALUES ('DECISION_ENGINE')) decisive(name) ON decisive.name = changed.name
    JOIN former ON (former.organization_id, former.name) = (changed.organization_id, changed.name)
    WHERE (former.name) IS DISTINCT FROM (changed.name);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN (VALUES ('DECISION_ENGINE')) decisive(name) ON decisive.name = changed.name;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

-- No entry is needed for conditions that are deleted with their version: the version has one.
CREATE FUNCTION note_change_of_match_condition() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT version.organization_id) INTO owners FROM changed
    JOIN LATERAL (SELECT organization_id FROM weakness_version WHERE id = changed.weakness_version_id
      UNION ALL SELECT organization_id FROM countermeasure_version WHERE id = changed.countermeasure_version_id
      UNION ALL SELECT organization_id FROM threat_version WHERE id = changed.threat_version_id
    ) version ON true
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.required, former.excluded, former.required_attributes, former.excluded_attributes)
      IS DISTINCT FROM (changed.required, changed.excluded, changed.required_attributes, changed.excluded_attributes);
  ELSE
    SELECT array_agg(DISTINCT version.organization_id) INTO owners FROM changed
    JOIN LATERAL (SELECT organization_id FROM weakness_version WHERE id = changed.weakness_version_id
      UNION ALL SELECT organization_id FROM countermeasure_version WHERE id = changed.countermeasure_version_id
      UNION ALL SELECT organization_id FROM threat_version WHERE id = changed.threat_version_id
    ) version ON true;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_survey_answer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.is_active, former.attributes) IS DISTINCT FROM (changed.is_active, changed.attributes);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_threat_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.active, former.problems) IS DISTINCT FROM (changed.active, changed.problems);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

CREATE FUNCTION note_change_of_weakness_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed
    JOIN former ON (former.id) = (changed.id)
    WHERE (former.active) IS DISTINCT FROM (changed.active);
  ELSE
    SELECT array_agg(DISTINCT changed.organization_id) INTO owners FROM changed;
  END IF;
  PERFORM note_library_change(owners);
  RETURN NULL;
END $$;

-- Reads rows from a cursor until their total size reaches `bytes`: rows can be large, and their size is only known once
-- they have been read.
CREATE FUNCTION fetch_piece(list refcursor, bytes integer) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  row_text text;
  total integer := 0;
BEGIN
  WHILE total < bytes LOOP
    FETCH list INTO row_text;
    EXIT WHEN NOT FOUND;
    total := total + octet_length(row_text);
    RETURN NEXT row_text;
  END LOOP;
END $$;

-- Full-text search: docs/use/search.md. Punctuation separates words, in documents and queries alike: otherwise "CWE-79"
-- would contain the number -79, and "node" would not match "Node.js". With translate(), which is nine times as slow here,
-- a document takes a quarter more time.
CREATE FUNCTION search_text(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN replace(replace(replace(replace(replace($1, '-', ' '), '/', ' '), '_', ' '), '.', ' '), ':', ' ');

-- Titles and names have the highest weight. They are included a second time without stemming, so that any prefix of a
-- word matches. A tsvector is limited to 1 MiB, so the end of a very long text is not searched.
CREATE FUNCTION search_document(title text, names text[], body text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT COST 500
RETURN setweight(to_tsvector('english'::regconfig, search_text(title || ' ' || array_to_string(names, ' '))), 'A')
  || setweight(to_tsvector('simple'::regconfig, search_text(title || ' ' || array_to_string(names, ' '))), 'A')
  || to_tsvector('english'::regconfig, search_text(left(body, 100000)));

-- Matches words with this prefix: stemmed, or as written in titles.
CREATE FUNCTION search_prefix(word text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN to_tsquery('english'::regconfig, '''' || replace(replace(search_text(word), '\', '\\'), '''', '''''') || ''':*')
  || to_tsquery('simple'::regconfig, '''' || replace(replace(search_text(word), '\', '\\'), '''', '''''') || ''':*');

-- PostgreSQL expects the check of a document outside of its index to be cheap, but for a long text it reads the document from
-- TOAST. `id > 0 OR document_check(id)` adds what the check costs. It is true without a call.
CREATE FUNCTION document_check(id bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 1000
AS $$ BEGIN RETURN true; END $$;

-- Row-level security policies call this to get the organization of the transaction:
-- docs/adr/0039-row-level-security.md. A transaction that is not bound to an organization gets an error, so that writes
-- do not silently change nothing.
CREATE FUNCTION bound_organization() RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  bound text := current_setting('merlon.organization', true);
BEGIN
  IF bound = 'every' THEN RETURN NULL; END IF;
  IF coalesce(bound, '') = '' THEN
    RAISE insufficient_privilege USING MESSAGE = 'row-level security: no organization is bound to this transaction';
  END IF;
  RETURN bound::bigint;
END $$;

CREATE FUNCTION bound_to_every_organization() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('merlon.organization', true), '') = 'every';
