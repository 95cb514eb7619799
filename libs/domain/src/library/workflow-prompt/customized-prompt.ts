import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import type { ItemTable } from '../../kernel/items/item-rows.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';
import { Forbidden, NotFound } from '../../kernel/domain-errors.js';
import { builtInIdentities, customized } from '../customization/customization.commands.js';
import { type ExistingItem, rowsToChange } from '../item-batch/existing-items.js';
import { WorkflowPrompt } from './workflow-prompt.entity.js';

export const PROMPT_TABLE = { kind: 'workflow_prompt', entity: WorkflowPrompt } as const satisfies ItemTable;

/** The columns that activities report. */
const REPORTED = { title: sql`item.title`, active: sql`item.active` };

/** Locks the organization's own versions of prompts, by public id. */
async function ownPrompts(em: EntityManager, actor: Actor, ids: readonly string[]): Promise<Map<string, ExistingItem>> {
  const rows = await rowsToChange(em, actor, PROMPT_TABLE.kind, REPORTED, ids);
  return new Map([...rows].filter(([, { isCustom }]) => isCustom));
}

/** The built-in title of the prompt with this number; null if it is not built-in. */
export async function builtInTitle(em: EntityManager, number: number): Promise<string | null> {
  const prompt = await tables(em, WorkflowPrompt)
    .selectFrom('workflow_prompt')
    .select('title')
    .where('organization_id', 'is', null)
    .where('number', '=', number)
    .executeTakeFirst();
  return prompt?.title ?? null;
}

/** Copies built-in prompts and their contexts to the organization, under the same numbers. Existing copies are kept. */
async function copyPrompts(em: EntityManager, actor: Actor, ids: readonly number[]): Promise<void> {
  await sql`
    WITH copy AS (
      INSERT INTO workflow_prompt (organization_id, number, title, type, prompt, variables, active, created_at,
        created_by, updated_by)
      SELECT ${actor.organizationId}::bigint, number, title, type, prompt, variables, active, created_at, created_by,
        ${authorOf(actor)}::bigint
      FROM workflow_prompt WHERE organization_id IS NULL AND id = ANY(${ids}::bigint[])
      ON CONFLICT DO NOTHING RETURNING id, number)
    INSERT INTO workflow_prompt_context (organization_id, number, prompt_id, name, content_type, reference, text,
      ordinal, active)
    SELECT ${actor.organizationId}::bigint, c.number, copy.id, c.name, c.content_type, c.reference, c.text, c.ordinal,
      c.active
    FROM copy JOIN workflow_prompt built_in ON built_in.number = copy.number AND built_in.organization_id IS NULL
      JOIN workflow_prompt_context c ON c.prompt_id = built_in.id`.execute(em.getKysely());
}

/** Locks the organization's own versions of prompts for a change, as `customized` describes. */
export const promptsToChange = (
  em: EntityManager,
  actor: Actor,
  itemIds: readonly string[],
): Promise<Map<string, ExistingItem>> =>
  customized(PROMPT_TABLE.kind, itemIds, {
    findOwn: (ids) => ownPrompts(em, actor, ids),
    findOriginals: (ids) => builtInIdentities(em, PROMPT_TABLE.kind, ids),
    copy: (originals) => copyPrompts(em, actor, originals),
  });

/**
 * Finds and locks the organization's own version of a prompt. Throws `NotFound`, and `Forbidden` for an unchanged
 * built-in one.
 */
export async function promptToRemove(em: EntityManager, actor: Actor, id: string): Promise<ExistingItem> {
  const own = (await ownPrompts(em, actor, [id])).get(id);
  if (own) return own;
  if (!(await builtInIdentities(em, PROMPT_TABLE.kind, [id])).size) throw new NotFound();
  throw new Forbidden('A built-in workflow prompt can\'t be deleted. Deactivate it instead: set "active" to false.');
}
