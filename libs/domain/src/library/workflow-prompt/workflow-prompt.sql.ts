import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { idShape } from '../../kernel/item-id.js';

/** The prompts that an organization sees: its own, and the built-in ones that it has not customized. */
export const promptsInView = ({ organization }: Pick<QueryContext, 'organization'>): Branch[] => [
  { table: sql.table('workflow_prompt'), where: sql`item.organization_id = ${organization}` },
  {
    table: sql.table('workflow_prompt'),
    where: sql`item.organization_id IS NULL AND NOT EXISTS (
      SELECT 1 FROM workflow_prompt own WHERE own.organization_id = ${organization} AND own.number = item.number)`,
  },
];

/** Internal id of the prompt that an organization sees under a public id; no rows for a text that is not an id. */
export const promptInView = (id: string, organization: number): Sql =>
  sql`SELECT p.id FROM workflow_prompt p WHERE p.item_id = ${idShape('workflow_prompt').test(id) ? id : ''}
    AND (p.organization_id = ${organization} OR p.organization_id IS NULL)
    ORDER BY p.organization_id NULLS LAST LIMIT 1`;
