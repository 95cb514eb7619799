import { answerProjection } from '#domain/library/survey/answer.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const AnswersModule = readOnlyModule({
  name: 'Answers',
  path: 'library/answers',
  tag: 'Survey',
  family: 'library',
  projection: answerProjection,
  summaries: { list: 'List answers of the survey', item: 'Show an answer' },
});
