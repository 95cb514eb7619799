import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/id-counter.js';
import { idShape } from '../../kernel/item-id.js';
import { Invalid, missing, NotFound } from '../../kernel/domain-errors.js';
import { contextActivityInput } from './context-activity-input.js';
import { findLibraryItems } from './library-item.js';
import { promptToChange, touch } from './own-prompt.js';
import { type WorkflowPrompt, WorkflowPromptContext } from './workflow-prompt.entity.js';
import { CONTEXT_ORDINAL, type ContentType } from './workflow-prompt.rules.js';

/** A context of a prompt as a client gives it, checked for shape. */
export interface WorkflowPromptContextInput {
  readonly name: string;
  readonly content_type: ContentType;
  readonly reference?: string;
  readonly text?: string;
  readonly ordinal?: number;
  readonly active?: boolean;
}

/** Throws `Invalid` where a context refers to an item of the library that the organization does not see. */
async function assertReference(
  em: EntityManager,
  actor: Actor,
  { contentType, reference }: Pick<WorkflowPromptContext, 'contentType' | 'reference'>,
): Promise<void> {
  if (contentType !== 'library_item' || reference === '') return;
  if (!(await findLibraryItems(em, actor, [reference])).size) throw new Invalid({ reference: missing(reference) });
}

/** The place behind all other contexts of a prompt, which is locked. */
async function nextOrdinal(em: EntityManager, prompt: WorkflowPrompt): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(ordinal) AS last FROM workflow_prompt_context WHERE prompt_id = ${prompt.id}`.execute(em.getKysely());
  return Math.min((rows[0]?.last ?? 0) + 1, CONTEXT_ORDINAL.maximum);
}

/** Writes what happened to a context, which is a change of its prompt too. */
async function note(
  em: EntityManager,
  actor: Actor,
  prompt: WorkflowPrompt,
  verb: Verb,
  context: Pick<WorkflowPromptContext, 'number' | 'name'>,
): Promise<void> {
  em.assign(prompt, touch(actor));
  await em.flush();
  await recordActivity(em, actor, contextActivityInput(prompt, verb, context));
}

/** Makes a context, the last one where no place is given; returns its public id. Throws `NotFound`, `Invalid`. */
export async function createWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  { content_type: contentType, ...given }: WorkflowPromptContextInput,
): Promise<string> {
  const prompt = await promptToChange(em, actor, promptId);
  const fields = { ...given, contentType, reference: given.reference ?? '', text: given.text ?? '' };
  await assertReference(em, actor, fields);
  const context = em.create(WorkflowPromptContext, {
    ...fields,
    organizationId: actor.organizationId,
    number: await nextNumber(em, actor, 'workflow_prompt_context'),
    promptId: prompt.id,
    ordinal: given.ordinal ?? (await nextOrdinal(em, prompt)),
    active: given.active ?? true,
  });
  await em.flush();
  await note(em, actor, prompt, 'Created', context);
  return String(context.number);
}

/** The own form of a prompt with one of its contexts. Throws `NotFound`. */
async function contextToChange(em: EntityManager, actor: Actor, promptId: string, id: string) {
  const prompt = await promptToChange(em, actor, promptId);
  if (!idShape('workflow_prompt_context').test(id)) throw new NotFound();
  const context = await em.findOne(WorkflowPromptContext, { promptId: prompt.id, number: Number(id) });
  if (!context) throw new NotFound();
  return { prompt, context };
}

/** Changes a context: of a prompt that ships, for the actor's organization alone. Throws `NotFound`, `Invalid`. */
export async function updateWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  id: string,
  changes: Partial<WorkflowPromptContextInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const { prompt, context } = await contextToChange(em, actor, promptId, id);
  const { content_type: contentType, ...plain } = changes;
  em.assign(context, { ...plain, ...(contentType && { contentType }) });
  if (contentType !== undefined || plain.reference !== undefined) await assertReference(em, actor, context);
  await note(em, actor, prompt, 'Updated', context);
}

/** Deletes a context: of a prompt that ships, for the actor's organization alone. Throws `NotFound`. */
export async function removeWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  id: string,
): Promise<void> {
  const { prompt, context } = await contextToChange(em, actor, promptId, id);
  const { number, name } = context;
  await em.remove(context).flush();
  await note(em, actor, prompt, 'Deleted', { number, name });
}
