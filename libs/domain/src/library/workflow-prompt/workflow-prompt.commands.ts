import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, missingMessages } from '../../kernel/domain-errors.js';
import { cleanTexts } from '../../kernel/fields/field-checks.js';
import { MAX_BUILT_IN_NUMBER } from '../../kernel/item-id.js';
import { oneOf, tables } from '../../kernel/tables.js';
import type { ItemCommand, ItemForm, ItemRow } from '../item-batch/item-form.js';
import { creating, writeItems } from '../item-batch/write-items.js';
import { contextActivityInput } from './context-activity-input.js';
import { WorkflowPrompt } from './workflow-prompt.entity.js';
import { builtInTitle, PROMPT_TABLE, promptsToChange, promptToRemove } from './customized-prompt.js';
import { WorkflowPromptContext } from './workflow-prompt.entity.js';
import { placeholderMessages } from './workflow-prompt.rules.js';
import { contextsOf, missingReferences, writeContexts } from './workflow-prompt-context.commands.js';
import type { ContextOfFile, WorkflowPromptInput } from './workflow-prompt.fields.js';

/** A prompt in a file, with its contexts. */
interface PromptOfFile extends WorkflowPromptInput {
  readonly contexts?: readonly ContextOfFile[];
}

type Row = ItemRow<PromptOfFile>;

/** Checks the placeholders of each prompt with its new values, if its row has a prompt or variables. */
async function placeholderErrors(em: EntityManager, rows: readonly Row[]): Promise<FieldErrors[]> {
  const currentPrompts = await tables(em, WorkflowPrompt)
    .selectFrom('workflow_prompt')
    .select(['id', 'prompt', 'variables'])
    .where('id', '=', oneOf(rows.flatMap(({ version }) => version?.id ?? [])))
    .execute();
  const promptsById = new Map(currentPrompts.map((prompt) => [prompt.id, prompt]));
  return rows.map(({ input, version }) => {
    const { prompt = '', variables = [] } = { ...promptsById.get(version?.id ?? 0), ...input };
    return input.prompt === undefined && input.variables === undefined ? {} : placeholderMessages(prompt, variables);
  });
}

/**
 * Errors for contexts that reference missing library items. A context may keep a reference to an item that was deleted.
 */
async function contextErrors(em: EntityManager, actor: Actor, rows: readonly Row[]): Promise<FieldErrors[]> {
  const rowsWithContexts = rows.filter(({ input }) => input.contexts);
  const currentContexts = await contextsOf(
    em,
    rowsWithContexts.flatMap(({ version }) => version?.id ?? []),
  );
  const added = rows.map(({ input: { contexts = [] }, version }) =>
    contexts.filter(({ id, content_type: type, reference }) => {
      const before = currentContexts.get(`${version?.id}/${id}`);
      return before?.content_type !== type || before.reference !== reference;
    }),
  );
  const unknown = await missingReferences(em, actor, added.flat());
  return added.map((contexts): FieldErrors => {
    const errors = contexts.flatMap(({ reference = '' }) => (unknown.has(reference) ? missingMessages(reference) : []));
    return errors.length ? { contexts: errors } : {};
  });
}

const FORM: ItemForm<PromptOfFile> = {
  table: PROMPT_TABLE,
  find: promptsToChange,
  resolve: async (em, actor, rows) => {
    const placeholders = await placeholderErrors(em, rows);
    const contexts = await contextErrors(em, actor, rows);
    return rows.map(({ input: { variables } }, index) => ({
      columns: { variables: variables && cleanTexts(variables) },
      errors: { ...placeholders[index], ...contexts[index] },
      reported: {},
    }));
  },
};

/**
 * Creates and changes workflow prompts with the contexts that files include: built-in ones only for the actor's
 * organization. Returns their public ids. Throws `RejectedRows`.
 */
export const writeWorkflowPrompts: ItemCommand<PromptOfFile> = async (em, actor, writes, options) => {
  const written = await writeItems(em, actor, FORM, writes, options);
  const contexts = writes.flatMap((write, index): [number, readonly ContextOfFile[]][] => {
    const { contexts: newContexts } = 'id' in write ? write.changes : write.input;
    const { identity } = written[index] ?? {};
    return newContexts && identity !== undefined ? [[identity, newContexts]] : [];
  });
  await writeContexts(em, actor, new Map(contexts));
  return written.map(({ id }) => id);
};

/** Creates workflow prompts; returns their public ids. Throws `RejectedRows`. */
export const createWorkflowPrompts = creating<WorkflowPromptInput>(writeWorkflowPrompts);

/**
 * Deletes a workflow prompt with its contexts; drops the organization's version of a built-in one. Throws `NotFound`,
 * and `Forbidden` for an unchanged built-in one.
 */
export async function removeWorkflowPrompt(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const prompt = await promptToRemove(em, actor, id);
  const number = Number(id);
  const original = await builtInTitle(em, number);
  // Built-in contexts become visible again with the original.
  const deletedContexts = await em.find(
    WorkflowPromptContext,
    { promptId: prompt.id, ...(original !== null && { number: { $gt: MAX_BUILT_IN_NUMBER } }) },
    { orderBy: { ordinal: 'asc', number: 'asc' } },
  );
  const deleted = deletedContexts.map((context) => contextActivityInput({ ...prompt, number }, 'Deleted', context));
  await em.nativeDelete(WorkflowPrompt, { id: prompt.id });
  await recordActivity(em, actor, ...deleted, {
    subject: 'workflow_prompt',
    verb: original === null ? 'Deleted' : 'Updated',
    id: number,
    title: original ?? prompt.title,
  });
}
