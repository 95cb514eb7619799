import { QUESTION_FORMATS } from '#domain/library/survey/question.projection.js';
import { itemId, name, title } from './item-shapes.js';
import { list, nullable, object, objectWith, oneOf, type TypeOf } from './shape.js';

/** An attribute in its file. */
export const attribute = object({
  id: itemId('attribute'),
  parent: nullable(itemId('attribute')),
  name,
  description: title,
});

const answer = object({
  id: itemId('survey_answer'),
  text: title,
  description: title,
  display_text: name,
  /** The attributes that the answer adds. The first one represents the answer in match conditions. */
  attributes: list(itemId('attribute'), { distinct: true }),
});
const answers = list(answer, { minimum: 1 });
export const answerIds = list(itemId('survey_answer'), { distinct: true });

const question = object({
  id: itemId('survey_question'),
  text: title,
  description: title,
  format: oneOf(QUESTION_FORMATS),
  depends_on: answerIds,
  answers,
  subquestions: list(object({ id: itemId('survey_subquestion'), text: title, answers })),
});

/** A section of the survey in its file. */
export const section = object({
  id: itemId('survey_section'),
  title,
  subsections: list(object({ id: itemId('survey_subsection'), title, questions: list(question) })),
});

/**
 * When an item applies: answers that must be given, and answers that must not. `because` is the cause of the risk, for
 * reviewers; it is not loaded.
 */
export const matchCondition = objectWith(
  { id: itemId('match_condition'), required: answerIds, excluded: answerIds },
  { because: title },
);

export type Attribute = TypeOf<typeof attribute>;
export type Answer = TypeOf<typeof answer>;
export type Question = TypeOf<typeof question>;
export type Section = TypeOf<typeof section>;
export type MatchCondition = TypeOf<typeof matchCondition>;
