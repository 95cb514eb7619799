import { questionProjection } from '#domain/library/survey/question.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const QuestionsModule = readOnlyModule({
  name: 'Questions',
  path: 'library/questions',
  tag: 'Survey',
  family: 'library',
  projection: questionProjection,
  summaries: { list: 'List questions of the survey', item: 'Show a question' },
});
