import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { findIdentities, holdIdentities } from '../../kernel/find-identities.js';
import { type FieldErrors, Invalid, missing } from '../../kernel/domain-errors.js';
import { type QuestionnaireEntry, questionnaireErrors } from './component.rules.js';

/** A questionnaire as versions keep it: questions, and at the same place the answer that opens each, 0 for none. */
interface Questionnaire {
  readonly questions: number[];
  readonly parentAnswers: number[];
}

/** What the lists of fields name. */
const NAMED = {
  tasks_implemented: 'countermeasure',
  tasks_introduced: 'countermeasure',
  implied_attributes: 'attribute',
} as const;

/**
 * Internal ids of the items that a field's list names, each once, in its order; undefined where the list is not given.
 * Throws `Invalid` with everything that does not exist.
 */
export async function resolveList(
  em: EntityManager,
  actor: Actor,
  field: keyof typeof NAMED,
  ids: readonly string[] | undefined,
): Promise<number[] | undefined> {
  if (!ids?.length) return ids && [];
  const wanted = [...new Set(ids)];
  const found = await holdIdentities(em, actor, NAMED[field], wanted);
  const unknown = wanted.filter((id) => !found.has(id));
  if (unknown.length) throw new Invalid({ [field]: unknown.flatMap(missing) });
  return wanted.map((id) => found.get(id) ?? 0);
}

/** Internal id of the answer that a component is mapped to, null for none. Throws `Invalid`. */
export async function resolveAnswer(
  em: EntityManager,
  actor: Actor,
  id: string | null | undefined,
): Promise<number | null | undefined> {
  if (id === null || id === undefined) return id;
  const found = (await findIdentities(em, actor, 'survey_answer', [id])).get(id);
  if (found === undefined) throw new Invalid({ answer_mapping: missing(id) });
  return found;
}

/** Throws `Invalid` where there is no icon of this slug. */
export async function checkIcon(em: EntityManager, slug: string | undefined): Promise<void> {
  if (slug === undefined) return;
  const { rows } = await sql`SELECT 1 FROM component_icon WHERE slug = ${slug}`.execute(em.getKysely());
  if (!rows.length) throw new Invalid({ icon_slug: missing(slug) });
}

/** The questions that answers belong to, by public ids. */
async function questionsOf(em: EntityManager, answers: Iterable<number>): Promise<Map<string, string>> {
  const { rows } = await sql<{ answer: string; question: string }>`
    SELECT a.item_id AS answer, q.item_id AS question FROM component_answer a
      JOIN component_question q ON q.id = a.question_id
    WHERE a.id = ANY(${[...answers]}::bigint[])`.execute(em.getKysely());
  return new Map(rows.map(({ answer, question }) => [answer, question]));
}

/**
 * Checks a whole questionnaire. Throws `Invalid` with a list under `component_questions` that has `{}` for every sound
 * entry. Without input there is nothing to check.
 */
export async function resolveQuestionnaire(
  em: EntityManager,
  actor: Actor,
  entries: readonly QuestionnaireEntry[] | undefined,
): Promise<Questionnaire | undefined> {
  if (!entries) return undefined;
  const opening = entries.flatMap(({ parent_answer: id }) => (id === null || id === undefined ? [] : [id]));
  const questions = await findIdentities(
    em,
    actor,
    'component_question',
    entries.map(({ question }) => question),
  );
  const answers = await findIdentities(em, actor, 'component_answer', opening);
  const owners = await questionsOf(em, answers.values());
  const broken = questionnaireErrors(entries, (answer) => owners.get(answer));
  const errors = entries.map(({ question, parent_answer: answer }, place): FieldErrors => ({
    ...broken[place],
    ...(!questions.has(question) && { question: missing(question) }),
    ...(typeof answer === 'string' && !answers.has(answer) && { parent_answer: missing(answer) }),
  }));
  if (errors.some((entry) => Object.keys(entry).length)) throw new Invalid({ component_questions: errors });
  return {
    questions: entries.map(({ question }) => questions.get(question) ?? 0),
    parentAnswers: entries.map(({ parent_answer: answer }) => answers.get(answer ?? '') ?? 0),
  };
}

/** Public ids of countermeasures. */
export async function countermeasureIds(em: EntityManager, identities: readonly number[]): Promise<string[]> {
  if (!identities.length) return [];
  const { rows } = await sql<{ item_id: string }>`
    SELECT item_id FROM countermeasure WHERE id = ANY(${identities}::bigint[])
    ORDER BY organization_id NULLS FIRST, number`.execute(em.getKysely());
  return rows.map((row) => row.item_id);
}
