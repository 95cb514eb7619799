import { Migration } from '@mikro-orm/migrations';

/** The columns of a table whose rows ship with the product or belong to one organization. */
const identity = (letters: string): string => `
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint REFERENCES organization,
  number integer NOT NULL,
  item_id text NOT NULL GENERATED ALWAYS AS (CASE WHEN organization_id IS NULL THEN '${letters}' ELSE 'C${letters}' END || number::text) STORED`;

/** The same, where ids are plain numbers: a row of an organization stands for the shipped one of its number. */
const numbered = `
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint REFERENCES organization,
  number integer NOT NULL,
  item_id text NOT NULL GENERATED ALWAYS AS (number::text) STORED`;

const identityIndexes = (table: string): string => `
  CREATE UNIQUE INDEX ${table}_item_id ON ${table} (item_id, organization_id) NULLS NOT DISTINCT;`;

/**
 * Glossary terms, profiles, and workflow prompts with their contexts. Numbers of prompts and contexts below 1,000 are for
 * those that ship, see docs/api-conventions.md.
 */
export class Migration20261121050000_ReferenceContent extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE glossary_term (
        ${identity('GT')},
        term text NOT NULL,
        definition text NOT NULL
      );
      ${identityIndexes('glossary_term')}

      CREATE TABLE profile (
        ${identity('P')},
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        answers bigint[] NOT NULL DEFAULT '{}',
        is_default boolean NOT NULL DEFAULT false,
        logo_url text,
        active boolean NOT NULL DEFAULT true
      );
      ${identityIndexes('profile')}
      CREATE UNIQUE INDEX profile_default ON profile (organization_id) NULLS NOT DISTINCT WHERE is_default;

      CREATE TABLE workflow_prompt (
        ${numbered},
        title text NOT NULL,
        type text NOT NULL CHECK (type IN ('survey', 'countermeasure', 'weakness', 'threat', 'report')),
        prompt text NOT NULL,
        variables text[] NOT NULL DEFAULT '{}',
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        created_by bigint REFERENCES user_account,
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account
      );
      ${identityIndexes('workflow_prompt')}
      CREATE TABLE workflow_prompt_context (
        ${numbered},
        prompt_id bigint NOT NULL REFERENCES workflow_prompt ON DELETE CASCADE,
        name text NOT NULL,
        content_type text NOT NULL CHECK (content_type IN ('library_item', 'project', 'text')),
        reference text NOT NULL DEFAULT '',
        text text NOT NULL DEFAULT '',
        ordinal integer NOT NULL,
        active boolean NOT NULL DEFAULT true
      );
      ${identityIndexes('workflow_prompt_context')}
      CREATE INDEX workflow_prompt_context_prompt ON workflow_prompt_context (prompt_id, ordinal);
      CREATE SEQUENCE workflow_prompt_number AS integer START 1000;
      CREATE SEQUENCE workflow_prompt_context_number AS integer START 1000;
    `);
  }
}
