import { Migration } from '@mikro-orm/migrations';

/** A public id: the letters of the kind, with `C` in front for what an organization made itself, and the number. */
const itemId = (letters: string, custom = `C${letters}`): string =>
  `item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN '${letters}' ELSE '${custom}' END || number::text) STORED`;

/** The columns of every kind of content that ships with the product and that organizations add to. */
const identity = (letters: string, custom?: string): string => `
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint REFERENCES organization,
  number integer NOT NULL,
  ${itemId(letters, custom)}`;

/** What every version of an item has: whose it is, the item's place in the order, who made and changed it. */
const version = (kind: string, letters: string): string => `
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ${kind}_id bigint NOT NULL REFERENCES ${kind} ON DELETE CASCADE,
  organization_id bigint REFERENCES organization,
  is_custom boolean NOT NULL,
  number integer NOT NULL,
  item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_custom THEN 'C${letters}' ELSE '${letters}' END || number::text) STORED,
  revision integer NOT NULL DEFAULT 1,
  changed_fields text[] NOT NULL DEFAULT '{}',
  title text NOT NULL,
  text text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  created_by bigint REFERENCES user_account,
  updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_by bigint REFERENCES user_account`;

/** What is searched: public id and title, and between them what else is given. */
const searchText = (letters: string, ...others: readonly string[]): string => `
  search_text text NOT NULL GENERATED ALWAYS AS (${[
    `CASE WHEN is_custom THEN 'C${letters}' ELSE '${letters}' END || number::text`,
    ...others,
    'title',
  ].join(" || E'\\n' || ")}) STORED`;

const DB_ID = `CASE WHEN is_custom THEN '-' ELSE '' END || number::text`;

/** A condition belongs to one version: the indexes of the other kinds have no entry for it. */
const conditionIndex = (kind: string): string => `
  CREATE INDEX match_condition_${kind} ON match_condition (${kind}_version_id, position)
    WHERE ${kind}_version_id IS NOT NULL;`;

/** One row a public id and organization; the order of lists; what an organization changed. */
const identityIndexes = (table: string): string => `
  CREATE UNIQUE INDEX ${table}_item_id ON ${table} (item_id, organization_id) NULLS NOT DISTINCT;`;

const versionIndexes = (kind: string): string => `
  CREATE UNIQUE INDEX ${kind}_version_owner ON ${kind}_version (${kind}_id, organization_id) NULLS NOT DISTINCT;
  CREATE UNIQUE INDEX ${kind}_version_item_id ON ${kind}_version (item_id, organization_id) NULLS NOT DISTINCT;
  CREATE INDEX ${kind}_version_order ON ${kind}_version (organization_id, is_custom, number) INCLUDE (${kind}_id, active);
  CREATE INDEX ${kind}_version_title ON ${kind}_version (organization_id, lower(title), is_custom, number);
  CREATE INDEX ${kind}_version_updated_by ON ${kind}_version (organization_id, coalesce(updated_by, 0::bigint));
  CREATE INDEX ${kind}_version_updated ON ${kind}_version (organization_id, updated_at, is_custom, number);`;

/** The tables of access, activity and the library. Overlay: docs/adr/0004-identity-and-version-tables.md. */
export class Migration20261121000000_Foundation extends Migration {
  override up(): void {
    this.addSql('CREATE EXTENSION IF NOT EXISTS pg_trgm');

    this.addSql(`
      CREATE TABLE organization (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE TABLE id_counter (
        organization_id bigint NOT NULL REFERENCES organization,
        kind text NOT NULL,
        value integer NOT NULL,
        PRIMARY KEY (organization_id, kind)
      );
      CREATE TABLE global_role (
        ${identity('UR', 'CU')},
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        permissions text[] NOT NULL DEFAULT '{}'
      );
      ${identityIndexes('global_role')}
      CREATE UNIQUE INDEX global_role_name ON global_role (organization_id, lower(name)) NULLS NOT DISTINCT;
      CREATE TABLE user_account (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        email text NOT NULL,
        first_name text NOT NULL,
        last_name text NOT NULL,
        password_hash text,
        is_active boolean NOT NULL DEFAULT true,
        is_superuser boolean NOT NULL DEFAULT false,
        role_id bigint NOT NULL REFERENCES global_role,
        last_login_at timestamptz,
        joined_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE UNIQUE INDEX user_account_email ON user_account (lower(email));
      CREATE INDEX user_account_organization ON user_account (organization_id, id);
      CREATE TABLE user_group (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS ('G' || number::text) STORED,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        role_id bigint REFERENCES global_role,
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        UNIQUE (organization_id, number)
      );
      CREATE UNIQUE INDEX user_group_name ON user_group (organization_id, lower(name));
      CREATE TABLE group_member (
        group_id bigint NOT NULL REFERENCES user_group ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
        PRIMARY KEY (group_id, user_id)
      );
      CREATE INDEX group_member_user ON group_member (user_id);
      CREATE TABLE api_token (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
        name text NOT NULL,
        public_id text NOT NULL,
        prefix text,
        hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        expires_at timestamptz,
        last_used_at timestamptz
      );
      CREATE UNIQUE INDEX api_token_hash ON api_token (hash);
      CREATE INDEX api_token_user ON api_token (user_id);
      CREATE INDEX api_token_public_id ON api_token (public_id);
      CREATE INDEX api_token_expiry ON api_token (expires_at) WHERE expires_at IS NOT NULL;
      CREATE TABLE installed_token (
        hash bytea PRIMARY KEY,
        installed_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TABLE feature_flag (
        organization_id bigint NOT NULL REFERENCES organization,
        name text NOT NULL,
        PRIMARY KEY (organization_id, name)
      );
      CREATE TABLE activity (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        name text NOT NULL,
        actor_id bigint REFERENCES user_account,
        text text NOT NULL,
        data jsonb NOT NULL,
        icon text NOT NULL,
        log_level text NOT NULL,
        occurred_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX activity_stream ON activity (organization_id, occurred_at DESC, id DESC);
    `);

    this.addSql(`
      CREATE TABLE cwe (
        id integer PRIMARY KEY,
        title text NOT NULL,
        abstraction text NOT NULL,
        status text NOT NULL,
        search_text text NOT NULL GENERATED ALWAYS AS (id::text || E'\\n' || title) STORED
      );
      CREATE TABLE category (
        id integer PRIMARY KEY,
        name text NOT NULL UNIQUE
      );
      CREATE TABLE phase (
        ${identity('X')},
        name text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL DEFAULT '',
        tip text NOT NULL DEFAULT '',
        ordinal integer NOT NULL,
        active boolean NOT NULL DEFAULT true,
        retain boolean NOT NULL DEFAULT false
      );
      ${identityIndexes('phase')}
      CREATE TABLE survey_section (
        ${identity('S')},
        title text NOT NULL,
        ordinal integer NOT NULL
      );
      ${identityIndexes('survey_section')}
      CREATE TABLE survey_subsection (
        ${identity('SS')},
        section_id bigint NOT NULL REFERENCES survey_section,
        title text NOT NULL,
        ordinal integer NOT NULL
      );
      ${identityIndexes('survey_subsection')}
      CREATE TABLE survey_question (
        ${identity('Q')},
        subsection_id bigint NOT NULL REFERENCES survey_subsection,
        text text NOT NULL,
        description text NOT NULL DEFAULT '',
        format text NOT NULL CHECK (format IN ('MC', 'SC')),
        depends_on bigint[] NOT NULL DEFAULT '{}',
        ordinal integer NOT NULL
      );
      ${identityIndexes('survey_question')}
      CREATE INDEX survey_question_subsection ON survey_question (subsection_id);
      CREATE TABLE survey_subquestion (
        ${identity('SQ')},
        question_id bigint NOT NULL REFERENCES survey_question,
        text text NOT NULL,
        ordinal integer NOT NULL
      );
      ${identityIndexes('survey_subquestion')}
      CREATE TABLE survey_answer (
        ${identity('A')},
        question_id bigint NOT NULL REFERENCES survey_question,
        subquestion_id bigint REFERENCES survey_subquestion,
        text text NOT NULL,
        description text NOT NULL DEFAULT '',
        display_text text NOT NULL DEFAULT '',
        is_active boolean NOT NULL DEFAULT true,
        attributes bigint[] NOT NULL DEFAULT '{}',
        ordinal integer NOT NULL
      );
      ${identityIndexes('survey_answer')}
      CREATE INDEX survey_answer_question ON survey_answer (question_id);
    `);

    this.addSql(`
      CREATE TABLE weakness (${identity('P')});
      ${identityIndexes('weakness')}
      CREATE TABLE weakness_version (
        ${version('weakness', 'P')},
        risk_rating integer NOT NULL CHECK (risk_rating BETWEEN 1 AND 10),
        category text NOT NULL DEFAULT '',
        cwes bigint[] NOT NULL DEFAULT '{}',
        ${searchText('P')}
      );
      ${versionIndexes('weakness')}
      CREATE INDEX weakness_version_search ON weakness_version USING gin (search_text gin_trgm_ops);
      CREATE INDEX weakness_version_cwes ON weakness_version USING gin (cwes);

      CREATE TABLE countermeasure (${identity('T')});
      ${identityIndexes('countermeasure')}
      CREATE TABLE countermeasure_version (
        ${version('countermeasure', 'T')},
        weakness_id bigint NOT NULL REFERENCES weakness,
        phase_id bigint NOT NULL REFERENCES phase,
        priority integer NOT NULL CHECK (priority BETWEEN 1 AND 10),
        tags text[] NOT NULL DEFAULT '{}',
        categories text[] NOT NULL DEFAULT '{}',
        verification_coverage text[] NOT NULL DEFAULT '{}',
        ${searchText('T', DB_ID)}
      );
      ${versionIndexes('countermeasure')}
      CREATE INDEX countermeasure_version_weakness ON countermeasure_version (weakness_id);
      CREATE INDEX countermeasure_version_phase ON countermeasure_version (organization_id, phase_id);
      CREATE INDEX countermeasure_version_priority ON countermeasure_version (organization_id, priority, is_custom, number)
        INCLUDE (countermeasure_id, active);
      CREATE INDEX countermeasure_version_tags ON countermeasure_version USING gin (tags);
      CREATE INDEX countermeasure_version_search ON countermeasure_version USING gin (search_text gin_trgm_ops);

      CREATE TABLE additional_requirement (
        ${identity('TA')},
        countermeasure_id bigint NOT NULL REFERENCES countermeasure ON DELETE CASCADE
      );
      ${identityIndexes('additional_requirement')}
      CREATE INDEX additional_requirement_countermeasure ON additional_requirement (countermeasure_id);
      CREATE TABLE additional_requirement_version (
        ${version('additional_requirement', 'TA')},
        ordinal integer NOT NULL,
        ${searchText('TA', DB_ID)}
      );
      ${versionIndexes('additional_requirement')}

      CREATE TABLE how_to (
        ${identity('I')},
        countermeasure_id bigint NOT NULL REFERENCES countermeasure ON DELETE CASCADE
      );
      ${identityIndexes('how_to')}
      CREATE INDEX how_to_countermeasure ON how_to (countermeasure_id);
      CREATE TABLE how_to_version (
        ${version('how_to', 'I')},
        slug text NOT NULL,
        ${searchText('I', DB_ID)}
      );
      ${versionIndexes('how_to')}

      CREATE TABLE match_condition (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        weakness_version_id bigint REFERENCES weakness_version ON DELETE CASCADE,
        countermeasure_version_id bigint REFERENCES countermeasure_version ON DELETE CASCADE,
        additional_requirement_version_id bigint REFERENCES additional_requirement_version ON DELETE CASCADE,
        how_to_version_id bigint REFERENCES how_to_version ON DELETE CASCADE,
        item_id text NOT NULL,
        db_id bigint NOT NULL,
        position integer NOT NULL,
        required bigint[] NOT NULL DEFAULT '{}',
        excluded bigint[] NOT NULL DEFAULT '{}',
        CHECK (num_nonnulls(weakness_version_id, countermeasure_version_id, additional_requirement_version_id, how_to_version_id) = 1)
      );
      ${['weakness', 'countermeasure', 'additional_requirement', 'how_to'].map(conditionIndex).join('')}

      CREATE TABLE regulation (
        ${identity('REG')},
        name text NOT NULL,
        slug text NOT NULL,
        version text NOT NULL DEFAULT '',
        url text NOT NULL DEFAULT ''
      );
      ${identityIndexes('regulation')}
      CREATE TABLE regulation_section (
        ${identity('RS')},
        regulation_id bigint NOT NULL REFERENCES regulation ON DELETE CASCADE,
        code text NOT NULL,
        title text NOT NULL,
        ordinal integer NOT NULL
      );
      ${identityIndexes('regulation_section')}
      CREATE INDEX regulation_section_regulation ON regulation_section (regulation_id);
      CREATE TABLE regulation_section_countermeasure (
        section_id bigint NOT NULL REFERENCES regulation_section ON DELETE CASCADE,
        countermeasure_id bigint NOT NULL REFERENCES countermeasure ON DELETE CASCADE,
        PRIMARY KEY (section_id, countermeasure_id)
      );
      CREATE INDEX regulation_section_countermeasure_item ON regulation_section_countermeasure (countermeasure_id);

      CREATE TABLE library_release (
        digest text PRIMARY KEY,
        loaded_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
    `);
  }
}
