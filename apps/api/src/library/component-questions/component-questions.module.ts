import { componentQuestionProjection } from '#domain/library/component/component-question.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const ComponentQuestionsModule = readOnlyModule({
  name: 'ComponentQuestions',
  path: 'library/componentquestions',
  tag: 'Components',
  family: 'library',
  projection: componentQuestionProjection,
  summaries: { list: 'List the questions of components', item: 'Show a question of a component' },
});
