import { sql } from 'kysely';
import { numberOf } from '#domain/kernel/item-id.js';
import type { Library } from '../schema/library-schema.js';
import { recordset, type BuiltInTables } from './built-in-tables.js';

/** Loads the icons of components. One that a newer set no longer has stays: components may have it. */
export async function loadComponentIcons(tables: BuiltInTables, { icons }: Library): Promise<void> {
  await tables.run(
    'component_icon',
    sql<{ id: string }>`
      INSERT INTO component_icon AS present (slug, name, keywords, svg)
      SELECT * FROM ${recordset(icons, { slug: 'text', name: 'text', keywords: 'text', svg: 'text' })}
      ON CONFLICT (slug) DO UPDATE SET name = excluded.name, keywords = excluded.keywords, svg = excluded.svg
      WHERE (present.name, present.keywords, present.svg) <> (excluded.name, excluded.keywords, excluded.svg)
      RETURNING present.slug AS id`,
  );
}

/** Loads the questions that components ask, with their answers. Attributes are there already. */
async function loadComponentQuestions(tables: BuiltInTables, { componentQuestions }: Library): Promise<void> {
  await tables.ship(
    'component_question',
    { text: 'text', description: 'text', question_type: 'text' },
    componentQuestions.map(({ id, text, description, question_type }) => ({
      number: numberOf(id),
      text,
      description,
      question_type,
    })),
  );
  const questionId = await tables.identities('component_question');
  const attributeId = await tables.identities('attribute');
  await tables.ship(
    'component_answer',
    { question_id: 'bigint', text: 'text', description: 'text', attribute_id: 'bigint', ordinal: 'integer' },
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
  // A question has changed where its answers have.
  await tables.run(
    'component_question',
    sql<{ id: string }>`
      SELECT DISTINCT question_id AS id FROM component_answer
      WHERE id = ANY(${tables.touched('component_answer')}::bigint[])`,
  );
  await tables.touch('component_question');
}

/** Loads components with the questions that they ask. Survey, countermeasures and attributes are there already. */
export async function loadComponents(tables: BuiltInTables, library: Library): Promise<void> {
  await loadComponentQuestions(tables, library);
  const { components } = library;
  await tables.ship(
    'component',
    {},
    components.map(({ id }) => ({ number: numberOf(id) })),
  );
  const componentId = await tables.identities('component');
  const surveyAnswerId = await tables.identities('survey_answer');
  const countermeasureId = await tables.identities('countermeasure');
  const attributeId = await tables.identities('attribute');
  const questionId = await tables.identities('component_question');
  const answerId = await tables.identities('component_answer');
  await tables.shipVersions(
    'component',
    {
      title: 'text',
      text: 'text',
      active: 'boolean',
      category: 'text',
      icon_slug: 'text',
      answer_id: 'bigint',
      tasks_implemented: 'bigint[]',
      tasks_introduced: 'bigint[]',
      implied_attributes: 'bigint[]',
      questions: 'bigint[]',
      parent_answers: 'bigint[]',
    },
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
