import { numberOf } from '#domain/kernel/item-id.js';
import { answersOf } from '../schema/library-parts.js';
import {
  SurveyAnswer,
  SurveyQuestion,
  SurveySection,
  SurveySubquestion,
  SurveySubsection,
} from '#domain/library/survey/survey.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';
import { answerNoneAgain, rejectOneByOne } from './moved-answers.js';

/** Adds an ordinal and the properties of their parent to entries. */
const withOrdinals = <T extends { readonly id: string }, Parent extends object>(
  entries: readonly T[],
  parent: Parent,
) => entries.map((entry, index) => ({ entry, number: numberOf(entry.id), ordinal: index + 1, ...parent }));

/**
 * Loads sections, subsections, questions, subquestions and answers. Load attributes first. Ordinals follow the order of
 * the files.
 */
export async function loadSurvey(tables: BuiltInTables, { sections }: Library): Promise<void> {
  const allSections = withOrdinals(sections, {});
  await tables.mergeRows(
    SurveySection,
    allSections.map(({ entry, number, ordinal }) => ({ number, ordinal, title: entry.title })),
  );

  const sectionId = await tables.identities('survey_section');
  const subsections = allSections.flatMap(({ entry }) =>
    withOrdinals(entry.subsections, { section_id: sectionId(entry.id) }),
  );
  await tables.mergeRows(
    SurveySubsection,
    subsections.map(({ entry, ...row }) => ({ ...row, title: entry.title })),
  );

  const subsectionId = await tables.identities('survey_subsection');
  const questions = subsections.flatMap(({ entry }) =>
    withOrdinals(entry.questions, { subsection_id: subsectionId(entry.id) }),
  );
  await tables.mergeRows(
    SurveyQuestion,
    questions.map(({ entry: { text, description, format }, ...row }) => ({ ...row, text, description, format })),
  );

  const questionId = await tables.identities('survey_question');
  const subquestions = questions.flatMap(({ entry }) =>
    withOrdinals(entry.subquestions, { question_id: questionId(entry.id) }),
  );
  await tables.mergeRows(
    SurveySubquestion,
    subquestions.map(({ entry, ...row }) => ({ ...row, text: entry.text })),
  );

  const subquestionId = await tables.identities('survey_subquestion');
  const subquestionOf = new Map(
    subquestions.flatMap(({ entry }) => entry.answers.map((answer) => [answer.id, subquestionId(entry.id)])),
  );
  const attributeId = await tables.identities('attribute');
  const answers = questions.flatMap(({ entry }) =>
    withOrdinals(answersOf(entry), { question_id: questionId(entry.id) }),
  );
  const moved = await rejectOneByOne(tables, answers);
  await tables.mergeRows(
    SurveyAnswer,
    answers.map(({ entry: { id, text, description, display_text, attributes }, ...row }) => ({
      ...row,
      subquestion_id: subquestionOf.get(id) ?? null,
      text,
      description,
      display_text,
      is_active: true,
      attributes: attributes.map(attributeId),
    })),
    'is_active',
  );
  if (moved.projects.length) await answerNoneAgain(tables, moved);

  // Questions and answers refer to each other, so questions are first loaded without their dependencies.
  const answerId = await tables.identities('survey_answer');
  await tables.mergeRows(
    SurveyQuestion,
    questions.map(({ entry, number }) => ({ number, depends_on: entry.depends_on.map(answerId) })),
  );
}
