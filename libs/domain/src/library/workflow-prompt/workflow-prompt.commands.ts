import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber } from '../../kernel/id-counter.js';
import { LARGEST_BUILT_IN_NUMBER } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { contextActivityInput } from './context-activity-input.js';
import { promptToChange, promptToRemove, builtInTitle, touch } from './own-prompt.js';
import { WorkflowPrompt, WorkflowPromptContext } from './workflow-prompt.entity.js';
import { cleanVariables, assertDeclaredVariables, type PromptType } from './workflow-prompt.rules.js';

/** A workflow prompt as a client gives it, checked for shape. */
export interface WorkflowPromptInput {
  readonly title: string;
  readonly type: PromptType;
  readonly prompt: string;
  readonly variables?: readonly string[];
  readonly active?: boolean;
}

/** Makes a workflow prompt; returns its public id. Throws `Invalid`. */
export async function createWorkflowPrompt(
  em: EntityManager,
  actor: Actor,
  { variables, active, ...given }: WorkflowPromptInput,
): Promise<string> {
  const fields = { ...given, variables: cleanVariables(variables ?? []), active: active ?? true };
  assertDeclaredVariables(fields);
  const number = await nextNumber(em, actor, 'workflow_prompt');
  em.create(WorkflowPrompt, {
    ...fields,
    organizationId: actor.organizationId,
    number,
    createdBy: authorOf(actor),
    updatedBy: authorOf(actor),
  });
  await em.flush();
  await recordActivity(em, actor, { subject: 'workflow_prompt', verb: 'Created', id: number, title: fields.title });
  return String(number);
}

/** Changes a workflow prompt: one that ships, for the actor's organization alone. Throws `NotFound`, `Invalid`. */
export async function updateWorkflowPrompt(
  em: EntityManager,
  actor: Actor,
  id: string,
  { variables, ...plain }: Partial<WorkflowPromptInput>,
): Promise<void> {
  if (variables === undefined && !Object.keys(plain).length) return;
  const prompt = await promptToChange(em, actor, id);
  em.assign(prompt, { ...plain, ...(variables && { variables: cleanVariables(variables) }), ...touch(actor) });
  assertDeclaredVariables(prompt);
  await em.flush();
  await recordActivity(em, actor, {
    subject: 'workflow_prompt',
    verb: 'Updated',
    id: prompt.number,
    title: prompt.title,
  });
}

/**
 * Deletes a workflow prompt with its contexts; drops the organization's form of one that ships. Throws `NotFound`, and
 * `Forbidden` for one without changes.
 */
export async function removeWorkflowPrompt(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const prompt = await promptToRemove(em, actor, id);
  const { number, title } = prompt;
  const original = await builtInTitle(em, number);
  // Contexts that ship show again with the original.
  const leaving = await em.find(
    WorkflowPromptContext,
    { promptId: prompt.id, ...(original !== null && { number: { $gt: LARGEST_BUILT_IN_NUMBER } }) },
    { orderBy: { ordinal: 'asc', number: 'asc' } },
  );
  const told = leaving.map((context) => contextActivityInput(prompt, 'Deleted', context));
  await em.remove(prompt).flush();
  await recordActivity(em, actor, ...told, {
    subject: 'workflow_prompt',
    verb: original === null ? 'Deleted' : 'Updated',
    id: number,
    title: original ?? title,
  });
}
