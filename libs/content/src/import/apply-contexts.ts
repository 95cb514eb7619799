import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/actor.js';
import { LARGEST_GIVEN_NUMBER } from '#domain/batch/item-numbers.js';
import { nextPromptNumber } from '#domain/workflow-prompt/own-prompt.js';
import { LARGEST_SHIPPED_NUMBER } from '#domain/workflow-prompt/workflow-prompt.rules.js';
import type { CellValue } from '../formats/format-writer.js';
import type { Applied } from './apply-batch.js';
import { type Entry, entriesOf } from './nested-values.js';

/** Writes the contexts of the organization's own prompts: those that are there change, the others are made. */
export async function writeContexts(
  em: EntityManager,
  actor: Actor,
  prompts: readonly { readonly item: Applied; readonly to: CellValue }[],
): Promise<void> {
  for (const { item, to } of prompts) {
    const prompt = await ownPrompt(em, actor, item.id);
    for (const context of entriesOf(to)) await writeContext(em, actor, prompt, context);
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

async function writeContext(em: EntityManager, actor: Actor, prompt: number, context: Entry): Promise<void> {
  const columns = sql`${String(context.name)}, ${String(context.content_type)}, ${String(context.reference)},
    ${String(context.text)}, ${Number(context.ordinal)}::integer, ${context.active === true}::boolean`;
  const given = typeof context.id === 'number' ? context.id : null;
  const { rows } = await sql`
    UPDATE workflow_prompt_context SET (name, content_type, reference, text, ordinal, active) = (${columns})
    WHERE prompt_id = ${prompt} AND number = ${given} RETURNING id`.execute(em.getKysely());
  if (rows.length) return;
  const free = given !== null && (await isFree(em, actor, given));
  const number = free ? given : await nextPromptNumber(em, actor, 'workflow_prompt_context');
  await sql`
    INSERT INTO workflow_prompt_context (organization_id, number, prompt_id, name, content_type, reference, text, ordinal, active)
    VALUES (${actor.organizationId}, ${number}, ${prompt}, ${columns})`.execute(em.getKysely());
}

/** Whether a context of another installation can keep its number. */
async function isFree(em: EntityManager, actor: Actor, number: number): Promise<boolean> {
  if (number <= LARGEST_SHIPPED_NUMBER || number > LARGEST_GIVEN_NUMBER) return false;
  const { rows } = await sql`
    SELECT 1 FROM workflow_prompt_context WHERE organization_id = ${actor.organizationId} AND number = ${number}`.execute(
    em.getKysely(),
  );
  return !rows.length;
}
