import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { changeItems, type ItemTable, writeParts } from '../../kernel/items/item-rows.js';
import { idShape } from '../../kernel/item-id.js';
import { oneOf, tables } from '../../kernel/tables.js';
import type { ExistingItem } from '../item-batch/existing-items.js';
import { contextActivityInput } from './context-activity-input.js';
import { findLibraryItems } from './library-item.js';
import { PROMPT_TABLE, promptsToChange } from './customized-prompt.js';
import { WorkflowPromptContext } from './workflow-prompt.entity.js';
import { CONTEXT_ORDINAL } from './workflow-prompt.rules.js';
import type { ContextOfFile, WorkflowPromptContextInput } from './workflow-prompt.fields.js';

/** The fields of a context that reference a library item. */
type Reference = Pick<WorkflowPromptContextInput, 'content_type' | 'reference'>;

const TABLE: ItemTable = {
  kind: 'workflow_prompt_context',
  entity: WorkflowPromptContext,
};

type Context = Pick<Required<WorkflowPromptContextInput>, 'name' | 'content_type' | 'reference'> & {
  readonly identity: number;
};

/** The contexts of prompts, by internal id of the prompt and number of the context: `7/1001`. */
export async function contextsOf(em: EntityManager, prompts: readonly number[]): Promise<Map<string, Context>> {
  if (!prompts.length) return new Map();
  const rows = await tables(em, WorkflowPromptContext)
    .selectFrom('workflow_prompt_context')
    .select(['prompt_id', 'number', 'id as identity', 'name', 'content_type', 'reference'])
    .where('prompt_id', '=', oneOf(prompts))
    .execute();
  return new Map(rows.map(({ prompt_id: prompt, number, ...context }) => [`${prompt}/${number}`, context]));
}

/** The library items that contexts reference and that the organization does not see. */
export async function missingReferences(
  em: EntityManager,
  actor: Actor,
  contexts: readonly Reference[],
): Promise<Set<string>> {
  const referencedIds = contexts.flatMap(({ content_type: type, reference }) =>
    type === 'library_item' && reference ? [reference] : [],
  );
  if (!referencedIds.length) return new Set();
  const foundIds = await findLibraryItems(em, actor, referencedIds);
  return new Set(referencedIds.filter((id) => !foundIds.has(id)));
}

/** Writes contexts of prompts, each with all of its fields: updates existing ones and inserts the others. */
export async function writeContexts(
  em: EntityManager,
  actor: Actor,
  prompts: ReadonlyMap<number, readonly ContextOfFile[]>,
): Promise<void> {
  const currentContexts = await contextsOf(em, [...prompts.keys()]);
  const parts = [...prompts].flatMap(([prompt, contexts]) =>
    contexts.map(({ id, number, ...fields }) => ({
      identity: currentContexts.get(`${prompt}/${id}`)?.identity,
      number,
      values: { ...fields, prompt_id: prompt },
    })),
  );
  await writeParts(em, actor, TABLE, parts);
}

/** Throws `Invalid` if a context references a library item that the organization does not see. */
async function assertReference(em: EntityManager, actor: Actor, context: Reference): Promise<void> {
  for (const id of await missingReferences(em, actor, [context])) throw new Invalid({ reference: missingMessages(id) });
}

/** The ordinal after all other contexts of a prompt, which must be locked. */
async function nextOrdinal(em: EntityManager, prompt: number): Promise<number> {
  const { last } = await tables(em, WorkflowPromptContext)
    .selectFrom('workflow_prompt_context')
    .select(({ fn }) => fn.max<number | null>('ordinal').as('last'))
    .where('prompt_id', '=', prompt)
    .executeTakeFirstOrThrow();
  return Math.min((last ?? 0) + 1, CONTEXT_ORDINAL.maximum);
}

/** Finds and locks the organization's own version of a prompt. Throws `NotFound`. */
async function promptToChange(em: EntityManager, actor: Actor, id: string): Promise<ExistingItem & { number: number }> {
  const prompt = (await promptsToChange(em, actor, [id])).get(id);
  if (!prompt) throw new NotFound();
  return { ...prompt, number: Number(id) };
}

/** Records a change of a context as an activity of its prompt, and updates the prompt's authorship. */
async function recordContextChange(
  em: EntityManager,
  actor: Actor,
  prompt: ExistingItem & { number: number },
  verb: Verb,
  context: Pick<WorkflowPromptContext, 'number' | 'name'>,
): Promise<void> {
  await changeItems(em, actor, PROMPT_TABLE, [{ identity: prompt.identity, fields: [], values: {} }]);
  await recordActivity(em, actor, contextActivityInput(prompt, verb, context));
}

/** Creates a context; without an ordinal it is appended. Returns its public id. Throws `NotFound`, `Invalid`. */
export async function createWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  input: WorkflowPromptContextInput,
): Promise<string> {
  const prompt = await promptToChange(em, actor, promptId);
  await assertReference(em, actor, input);
  const { ordinal = await nextOrdinal(em, prompt.identity) } = input;
  const values = { reference: '', text: '', active: true, ...input, ordinal, prompt_id: prompt.identity };
  const [number = 0] = await writeParts(em, actor, TABLE, [{ values }]);
  await recordContextChange(em, actor, prompt, 'Created', { number, name: input.name });
  return String(number);
}

/** Finds a context and locks the organization's own version of its prompt. Throws `NotFound`. */
async function contextToChange(em: EntityManager, actor: Actor, promptId: string, id: string) {
  const prompt = await promptToChange(em, actor, promptId);
  const contexts = idShape('workflow_prompt_context').test(id) ? await contextsOf(em, [prompt.identity]) : undefined;
  const context = contexts?.get(`${prompt.identity}/${id}`);
  if (!context) throw new NotFound();
  return { prompt, context };
}

/** Changes a context; that of a built-in prompt only for the actor's organization. Throws `NotFound`, `Invalid`. */
export async function updateWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  id: string,
  changes: Partial<WorkflowPromptContextInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const { prompt, context } = await contextToChange(em, actor, promptId, id);
  const changed = { ...context, ...changes };
  if (changes.content_type !== undefined || changes.reference !== undefined) await assertReference(em, actor, changed);
  await writeParts(em, actor, TABLE, [{ identity: context.identity, values: changes }]);
  await recordContextChange(em, actor, prompt, 'Updated', { number: Number(id), name: changed.name });
}

/** Deletes a context; that of a built-in prompt only for the actor's organization. Throws `NotFound`. */
export async function removeWorkflowPromptContext(
  em: EntityManager,
  actor: Actor,
  promptId: string,
  id: string,
): Promise<void> {
  const { prompt, context } = await contextToChange(em, actor, promptId, id);
  await em.nativeDelete(WorkflowPromptContext, { id: context.identity });
  await recordContextChange(em, actor, prompt, 'Deleted', { number: Number(id), name: context.name });
}
