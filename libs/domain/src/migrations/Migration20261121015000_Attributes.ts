import { Migration } from '@mikro-orm/migrations';

/** Attributes, an organization's own switch of built-in ones, and the attribute lists of match conditions. */
export class Migration20261121015000_Attributes extends Migration {
  override up(): void {
    // Who is above stands in the row, root first, so that path, depth and subtree need no recursion.
    this.addSql(`
      CREATE TABLE attribute (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN 'AT' ELSE 'CAT' END || number::text) STORED,
        parent_id bigint REFERENCES attribute,
        ancestors bigint[] NOT NULL DEFAULT '{}',
        depth integer NOT NULL GENERATED ALWAYS AS (cardinality(ancestors) + 1) STORED,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        CHECK (parent_id IS NOT DISTINCT FROM ancestors[cardinality(ancestors)])
      );
      CREATE UNIQUE INDEX attribute_item_id ON attribute (item_id, organization_id) NULLS NOT DISTINCT;
      CREATE INDEX attribute_order ON attribute (organization_id, number);
      CREATE INDEX attribute_parent ON attribute (parent_id);
      CREATE INDEX attribute_ancestors ON attribute USING gin (ancestors);
      CREATE TABLE attribute_switch (
        organization_id bigint NOT NULL REFERENCES organization,
        attribute_id bigint NOT NULL REFERENCES attribute ON DELETE CASCADE,
        active boolean NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (organization_id, attribute_id)
      );
      CREATE INDEX survey_answer_attributes ON survey_answer USING gin (attributes);
    `);

    // Beside the answers and not in their place: a change of the mode loses neither.
    this.addSql(`
      ALTER TABLE match_condition
        ADD COLUMN required_attributes bigint[] NOT NULL DEFAULT '{}',
        ADD COLUMN excluded_attributes bigint[] NOT NULL DEFAULT '{}';
      CREATE INDEX match_condition_attributes ON match_condition USING gin (required_attributes, excluded_attributes)
        WHERE required_attributes <> '{}' OR excluded_attributes <> '{}';
    `);
  }
}
