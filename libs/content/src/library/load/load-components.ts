import { sql } from 'kysely';
import { numberOf } from '#domain/kernel/item-id.js';
import {
  ComponentAnswer,
  ComponentIcon,
  ComponentQuestion,
} from '#domain/library/component/component-question.entity.js';
import { Component, ComponentVersion } from '#domain/library/component/component.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';

/** Loads the icons of components. Icons that a newer set no longer has are kept, because components may use them. */
export const loadComponentIcons = (tables: BuiltInTables, { icons }: Library): Promise<void> =>
  tables.upsert(ComponentIcon, 'slug', icons);

/** Loads component questions with their answers. Load attributes first. */
async function loadComponentQuestions(tables: BuiltInTables, { componentQuestions }: Library): Promise<void> {
  await tables.mergeRows(
    ComponentQuestion,
    componentQuestions.map(({ id, text, description, question_type }) => ({
      number: numberOf(id),
      text,
      description,
      question_type,
    })),
  );
  const questionId = await tables.identities('component_question');
  const attributeId = await tables.identities('attribute');
  await tables.mergeRows(
    ComponentAnswer,
    componentQuestions.flatMap(({ id, answers }) =>
      answers.map(({ id: answerId, text, description, attribute }, index) => ({
        number: numberOf(answerId),
        question_id: questionId(id),
        text,
        description,
        attribute_id: attribute === null ? null : attributeId(attribute),
        ordinal: index + 1,
      })),
    ),
  );
  // A question counts as changed if its answers have changed.
  await tables.run(
    'component_question',
    sql<{ id: string }>`
      SELECT DISTINCT question_id AS id FROM component_answer
      WHERE id = ANY(${tables.touched('component_answer')}::bigint[])`,
  );
  await tables.touch('component_question');
}

/** Loads components and their questions. Load the survey, countermeasures and attributes first. */
export async function loadComponents(tables: BuiltInTables, library: Library): Promise<void> {
  await loadComponentQuestions(tables, library);
  const { components } = library;
  await tables.mergeRows(
    Component,
    components.map(({ id }) => ({ number: numberOf(id) })),
  );
  const componentId = await tables.identities('component');
  const surveyAnswerId = await tables.identities('survey_answer');
  const countermeasureId = await tables.identities('countermeasure');
  const attributeId = await tables.identities('attribute');
  const questionId = await tables.identities('component_question');
  const answerId = await tables.identities('component_answer');
  await tables.mergeVersions(
    'component',
    ComponentVersion,
    components.map((component) => ({
      number: numberOf(component.id),
      identity: componentId(component.id),
      title: component.title,
      text: component.description,
      active: true,
      category: component.category,
      icon_slug: component.icon,
      answer_id: component.answer_mapping === null ? null : surveyAnswerId(component.answer_mapping),
      tasks_implemented: component.tasks_implemented.map(countermeasureId),
      tasks_introduced: component.tasks_introduced.map(countermeasureId),
      implied_attributes: component.implied_attributes.map(attributeId),
      questions: component.questions.map(({ question }) => questionId(question)),
      parent_answers: component.questions.map(({ parent_answer: answer }) => (answer === null ? 0 : answerId(answer))),
      conditions: [],
    })),
  );
}
