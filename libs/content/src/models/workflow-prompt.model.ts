import { workflowPromptProjection } from '#domain/workflow-prompt/workflow-prompt.projection.js';
import { modelOf } from './content-model.js';

export const workflowPromptModel = modelOf(workflowPromptProjection, {
  name: 'workflow_prompt',
  title: 'Workflow prompts',
  writable: ['title', 'type', 'prompt', 'variables', 'active', 'contexts'],
  long: ['prompt', 'contexts'],
});
