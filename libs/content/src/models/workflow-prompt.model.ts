import { workflowPromptFileFields } from '#domain/library/workflow-prompt/workflow-prompt.fields.js';
import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';
import { modelOf } from './content-model.js';

export const workflowPromptModel = modelOf(workflowPromptProjection, {
  name: 'workflow_prompt',
  title: 'Workflow prompts',
  fields: workflowPromptFileFields,
  long: ['contexts'],
});
