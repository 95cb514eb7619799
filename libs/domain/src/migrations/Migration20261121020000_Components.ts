import { Migration } from '@mikro-orm/migrations';

/** Components with their overlay, the questions that they ask, and the icons that they can have. */
export class Migration20261121020000_Components extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE component_icon (
        slug text PRIMARY KEY,
        name text NOT NULL,
        keywords text NOT NULL DEFAULT '',
        svg text NOT NULL
      );

      CREATE TABLE component_question (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN 'AQ' ELSE 'CAQ' END || number::text) STORED,
        text text NOT NULL,
        description text NOT NULL DEFAULT '',
        question_type text NOT NULL CHECK (question_type IN ('MC', 'SC')),
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE UNIQUE INDEX component_question_item_id ON component_question (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE TABLE component_answer (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN 'AA' ELSE 'CAA' END || number::text) STORED,
        question_id bigint NOT NULL REFERENCES component_question,
        text text NOT NULL,
        description text NOT NULL DEFAULT '',
        attribute_id bigint REFERENCES attribute ON DELETE SET NULL,
        ordinal integer NOT NULL
      );
      CREATE UNIQUE INDEX component_answer_item_id ON component_answer (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE INDEX component_answer_question ON component_answer (question_id, ordinal);
      CREATE INDEX component_answer_attribute ON component_answer (attribute_id);
    `);

    // Its description is the text, and hidden is the opposite of active: so everything that is said of versions of all
    // kinds holds here too. The questionnaire is two lists of the same length: a question, and the answer that opens it.
    this.addSql(`
      CREATE TABLE component (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN 'SC' ELSE 'CSC' END || number::text) STORED
      );
      CREATE UNIQUE INDEX component_item_id ON component (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE TABLE component_version (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        component_id bigint NOT NULL REFERENCES component ON DELETE CASCADE,
        organization_id bigint REFERENCES organization,
        is_custom boolean NOT NULL,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN is_custom THEN 'CSC' ELSE 'SC' END || number::text) STORED,
        revision integer NOT NULL DEFAULT 1,
        changed_fields text[] NOT NULL DEFAULT '{}',
        title text NOT NULL,
        text text NOT NULL DEFAULT '',
        active boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        created_by bigint REFERENCES user_account,
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account,
        category text NOT NULL DEFAULT '',
        icon_slug text NOT NULL DEFAULT 'mui-hub',
        answer_id bigint REFERENCES survey_answer,
        tasks_implemented bigint[] NOT NULL DEFAULT '{}',
        tasks_introduced bigint[] NOT NULL DEFAULT '{}',
        implied_attributes bigint[] NOT NULL DEFAULT '{}',
        questions bigint[] NOT NULL DEFAULT '{}',
        parent_answers bigint[] NOT NULL DEFAULT '{}',
        CHECK (NOT tasks_implemented && tasks_introduced),
        CHECK (cardinality(questions) = cardinality(parent_answers))
      );
      CREATE UNIQUE INDEX component_version_owner ON component_version (component_id, organization_id) NULLS NOT DISTINCT;
      CREATE UNIQUE INDEX component_version_item_id ON component_version (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE INDEX component_version_order ON component_version (organization_id, is_custom, number) INCLUDE (component_id);
      CREATE INDEX component_version_title ON component_version (organization_id, lower(title), is_custom, number);
      CREATE INDEX component_version_updated ON component_version (organization_id, updated_at, is_custom, number);
      CREATE INDEX component_version_answer ON component_version (answer_id);
      CREATE INDEX component_version_search ON component_version USING gin (title gin_trgm_ops);
      CREATE INDEX component_version_tasks ON component_version USING gin (tasks_implemented, tasks_introduced);
      CREATE INDEX component_version_implied_attributes ON component_version USING gin (implied_attributes);
      CREATE INDEX component_version_questions ON component_version USING gin (questions);
    `);
  }
}
