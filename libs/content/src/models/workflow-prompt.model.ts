import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';
import { VARIABLE_MAXIMUM_LENGTH } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { modelOf } from './content-model.js';

export const workflowPromptModel = modelOf(workflowPromptProjection, {
  name: 'workflow_prompt',
  title: 'Workflow prompts',
  writable: ['title', 'type', 'prompt', 'variables', 'active', 'contexts'],
  long: ['prompt', 'contexts'],
  required: ['title', 'type', 'prompt'],
  lengths: { variables: VARIABLE_MAXIMUM_LENGTH },
});
