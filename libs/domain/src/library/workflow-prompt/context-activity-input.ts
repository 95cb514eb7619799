import type { Verb } from '../../activity/activities.js';
import type { ActivityInput } from '../../activity/activity.js';
import type { WorkflowPrompt, WorkflowPromptContext } from './workflow-prompt.entity.js';

/** The activity for a change of a prompt's context; its subject is the prompt. */
export const contextActivityInput = (
  { number: id, title }: Pick<WorkflowPrompt, 'number' | 'title'>,
  verb: Verb,
  context: Pick<WorkflowPromptContext, 'number' | 'name'>,
): ActivityInput => ({
  subject: 'workflow_prompt_context',
  verb,
  id,
  title,
  also: { context: { id: context.number, description: context.name } },
});
