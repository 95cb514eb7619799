import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { raw } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { idShape } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { Forbidden, NotFound } from '../../kernel/domain-errors.js';
import { WorkflowPrompt } from './workflow-prompt.entity.js';

/** What every change of a prompt or of its contexts notes: by whom, and when. */
export const touch = (actor: Actor) => ({ updatedBy: authorOf(actor), updatedAt: raw('clock_timestamp()') });

const findOwn = (em: EntityManager, actor: Actor, number: number): Promise<WorkflowPrompt | null> =>
  em.findOne(
    WorkflowPrompt,
    { organizationId: actor.organizationId, number },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );

/** The title that the prompt with this number ships with; null where none does. */
export async function builtInTitle(em: EntityManager, number: number): Promise<string | null> {
  const { rows } = await sql<{ title: string }>`
    SELECT title FROM workflow_prompt WHERE organization_id IS NULL AND number = ${number}`.execute(em.getKysely());
  return rows[0]?.title ?? null;
}

/**
 * Makes the organization's own copy of a shipped prompt and its contexts, under the same numbers; a copy that is there
 * stays.
 */
export async function copyBuiltIn(em: EntityManager, actor: Actor, number: number): Promise<void> {
  await sql`
    WITH copy AS (
      INSERT INTO workflow_prompt (organization_id, number, title, type, prompt, variables, active, created_at,
        created_by, updated_by)
      SELECT ${actor.organizationId}::bigint, number, title, type, prompt, variables, active, created_at, created_by,
        ${authorOf(actor)}::bigint
      FROM workflow_prompt WHERE organization_id IS NULL AND number = ${number}
      ON CONFLICT DO NOTHING RETURNING id)
    INSERT INTO workflow_prompt_context (organization_id, number, prompt_id, name, content_type, reference, text,
      ordinal, active)
    SELECT ${actor.organizationId}::bigint, c.number, copy.id, c.name, c.content_type, c.reference, c.text, c.ordinal,
      c.active
    FROM copy CROSS JOIN workflow_prompt_context c JOIN workflow_prompt shipped ON shipped.id = c.prompt_id
    WHERE shipped.organization_id IS NULL AND shipped.number = ${number}`.execute(em.getKysely());
}

/**
 * The organization's own form of a prompt, locked for change. The first change of a shipped one makes it. Throws
 * `NotFound` where the organization sees no such prompt.
 */
export async function promptToChange(em: EntityManager, actor: Actor, id: string): Promise<WorkflowPrompt> {
  if (!idShape('workflow_prompt').test(id)) throw new NotFound();
  const number = Number(id);
  for (;;) {
    const own = await findOwn(em, actor, number);
    if (own) return own;
    if ((await builtInTitle(em, number)) === null) throw new NotFound();
    // Two first changes at once: the second waits for the first one's row and then finds it.
    await copyBuiltIn(em, actor, number);
  }
}

/** The organization's own form of a prompt, locked. Throws `NotFound`, and `Forbidden` for one without changes. */
export async function promptToRemove(em: EntityManager, actor: Actor, id: string): Promise<WorkflowPrompt> {
  if (!idShape('workflow_prompt').test(id)) throw new NotFound();
  const own = await findOwn(em, actor, Number(id));
  if (own) return own;
  if ((await builtInTitle(em, Number(id))) === null) throw new NotFound();
  throw new Forbidden('A built-in workflow prompt can\'t be deleted. Deactivate it instead: set "active" to false.');
}
