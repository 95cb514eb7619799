import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { nextNumber } from '#domain/kernel/id-counter.js';
import type { CellValue } from '#files/cell-value.js';
import type { Applied } from './applied.js';
import { type Entry, entriesOf } from '../plans/nested-values.js';
import { textOf } from '../formats/text-of.js';

/**
 * Writes the contexts of the organization's own prompts: those that are there change, the others are made.
 *
 * @param kept numbers that were taken for them; the first that names one has it
 */
export async function writeContexts(
  em: EntityManager,
  actor: Actor,
  prompts: readonly { readonly item: Applied; readonly to: CellValue }[],
  kept: Set<number>,
): Promise<void> {
  for (const { item, to } of prompts) {
    const prompt = await ownPrompt(em, actor, item.id);
    for (const context of entriesOf(to)) await writeContext(em, actor, prompt, context, kept);
  }
}

async function ownPrompt(em: EntityManager, actor: Actor, id: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM workflow_prompt WHERE organization_id = ${actor.organizationId} AND item_id = ${id}`.execute(
    em.getKysely(),
  );
  if (!rows[0]) throw new Error(`The prompt ${id} has no form of its own.`);
  return Number(rows[0].id);
}

async function writeContext(
  em: EntityManager,
  actor: Actor,
  prompt: number,
  context: Entry,
  kept: Set<number>,
): Promise<void> {
  const columns = sql`${textOf(context.name)}, ${textOf(context.content_type)}, ${textOf(context.reference)},
    ${textOf(context.text)}, ${Number(context.ordinal)}::integer, ${context.active === true}::boolean`;
  const given = typeof context.id === 'number' ? context.id : null;
  const { rows } = await sql`
    UPDATE workflow_prompt_context SET (name, content_type, reference, text, ordinal, active) = (${columns})
    WHERE prompt_id = ${prompt} AND number = ${given} RETURNING id`.execute(em.getKysely());
  if (rows.length) return;
  const number = given !== null && kept.delete(given) ? given : await nextNumber(em, actor, 'workflow_prompt_context');
  await sql`
    INSERT INTO workflow_prompt_context (organization_id, number, prompt_id, name, content_type, reference, text,
      ordinal, active)
    VALUES (${actor.organizationId}, ${number}, ${prompt}, ${columns})`.execute(em.getKysely());
}
