import { Migration } from '@mikro-orm/migrations';

/** Threats with their frameworks and CAPECs, and the relations of CWEs. */
export class Migration20261121040000_Threats extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE cwe
        ADD COLUMN parents bigint[] NOT NULL DEFAULT '{}',
        ADD COLUMN capecs bigint[] NOT NULL DEFAULT '{}';
      CREATE TABLE capec (
        id integer PRIMARY KEY,
        title text NOT NULL,
        abstraction text NOT NULL,
        likelihood text,
        severity text,
        cwes bigint[] NOT NULL DEFAULT '{}',
        search_text text NOT NULL GENERATED ALWAYS AS (id::text || E'\\n' || title) STORED
      );
      CREATE TABLE threat_framework (
        id integer PRIMARY KEY,
        slug text NOT NULL UNIQUE,
        name text NOT NULL,
        version text NOT NULL,
        url text NOT NULL
      );
      CREATE TABLE threat_framework_entry (
        framework_id integer NOT NULL REFERENCES threat_framework ON DELETE CASCADE,
        entry_id text NOT NULL,
        name text NOT NULL,
        url text NOT NULL,
        position integer NOT NULL,
        PRIMARY KEY (framework_id, entry_id)
      );
    `);

    this.addSql(`
      CREATE TABLE threat (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN 'TH' ELSE 'CTH' END || number::text) STORED
      );
      CREATE UNIQUE INDEX threat_item_id ON threat (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE TABLE threat_version (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        threat_id bigint NOT NULL REFERENCES threat ON DELETE CASCADE,
        organization_id bigint REFERENCES organization,
        is_custom boolean NOT NULL,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_custom THEN 'CTH' ELSE 'TH' END || number::text) STORED,
        revision integer NOT NULL DEFAULT 1,
        changed_fields text[] NOT NULL DEFAULT '{}',
        title text NOT NULL,
        text text NOT NULL,
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        created_by bigint REFERENCES user_account,
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account,
        severity integer NOT NULL CHECK (severity BETWEEN 1 AND 10),
        capecs bigint[] NOT NULL DEFAULT '{}',
        problems bigint[] NOT NULL DEFAULT '{}',
        stride text[] NOT NULL DEFAULT '{}',
        mitre_emb3d text[] NOT NULL DEFAULT '{}',
        maestro text[] NOT NULL DEFAULT '{}',
        mitre_attack text[] NOT NULL DEFAULT '{}',
        search_text text NOT NULL GENERATED ALWAYS AS (
          CASE WHEN is_custom THEN 'CTH' ELSE 'TH' END || number::text || E'\\n' ||
          CASE WHEN is_custom THEN '-' ELSE '' END || number::text || E'\\n' || title) STORED
      );
      CREATE UNIQUE INDEX threat_version_owner ON threat_version (threat_id, organization_id) NULLS NOT DISTINCT;
      CREATE UNIQUE INDEX threat_version_item_id ON threat_version (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE INDEX threat_version_order ON threat_version (organization_id, is_custom, number) INCLUDE (threat_id, active);
      CREATE INDEX threat_version_title ON threat_version (organization_id, lower(title), is_custom, number);
      CREATE INDEX threat_version_updated_by ON threat_version (organization_id, coalesce(updated_by, 0::bigint));
      CREATE INDEX threat_version_updated ON threat_version (organization_id, updated_at, is_custom, number);
      CREATE INDEX threat_version_severity ON threat_version (organization_id, severity, is_custom, number);
      CREATE INDEX threat_version_search ON threat_version USING gin (search_text gin_trgm_ops);
      CREATE INDEX threat_version_capecs ON threat_version USING gin (capecs);
      CREATE INDEX threat_version_problems ON threat_version USING gin (problems);
    `);

    // A condition hangs on exactly one version, of whatever kinds there are: the columns are read from the table, since
    // other migrations add kinds as well.
    this.addSql(`
      ALTER TABLE match_condition ADD COLUMN threat_version_id bigint REFERENCES threat_version ON DELETE CASCADE;
      CREATE INDEX match_condition_threat ON match_condition (threat_version_id, position)
        WHERE threat_version_id IS NOT NULL;
      DO $$
      DECLARE
        owners text;
      BEGIN
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO owners FROM pg_attribute
        WHERE attrelid = 'match_condition'::regclass AND attname LIKE '%\\_version\\_id' AND NOT attisdropped;
        ALTER TABLE match_condition DROP CONSTRAINT IF EXISTS match_condition_check;
        EXECUTE format(
          'ALTER TABLE match_condition ADD CONSTRAINT match_condition_check CHECK (num_nonnulls(%s) = 1)', owners);
      END $$;
    `);
  }
}
