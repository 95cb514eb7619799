import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { missingMessages } from '../../kernel/domain-errors.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { repeatedId, usedId } from '../../kernel/fields/field-checks.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { findAndLockIdentities } from '../../kernel/items/find-identities.js';
import { type ItemTable, writeParts } from '../../kernel/items/item-rows.js';
import { isCustomId, numberOf } from '../../kernel/item-id.js';
import { oneOf, tables } from '../../kernel/tables.js';
import type { ItemCommand, ItemForm, ResolvedItem } from '../item-batch/item-form.js';
import { writeItems } from '../item-batch/write-items.js';
import { ComponentAnswer, ComponentQuestion } from './component-question.entity.js';
import type { componentQuestionFields } from './component-question.fields.js';

type QuestionOfFile = InputOf<typeof componentQuestionFields>;

const FORM: ItemForm<QuestionOfFile> = {
  table: {
    kind: 'component_question',
    entity: ComponentQuestion,
  },
  title: 'text',
};

const ANSWERS: ItemTable = {
  kind: 'component_answer',
  entity: ComponentAnswer,
};

/**
 * Creates and changes custom questions of components, with their answers; returns the public ids of the questions. An
 * answer with an id is one of its question, or a new one with an id that the caller has marked as used. Throws
 * `RejectedRows`.
 */
export const writeComponentQuestions: ItemCommand<QuestionOfFile> = async (em, actor, writes, options) => {
  const answerLists = writes.map((write) => ('id' in write ? write.changes : write.input).answers ?? []);
  const attributes = await findAndLockIdentities(
    em,
    actor,
    'attribute',
    answerLists.flat().flatMap(({ attribute }) => attribute ?? []),
  );
  const currentAnswers = await currentAnswersOf(
    em,
    actor,
    answerLists.flat().flatMap(({ id }) => id ?? []),
  );
  const seenIds = new Set<string>();
  const idErrors = (id: string | null, question: number | undefined): string[] => {
    if (id === null) return [];
    if (seenIds.has(id)) return [repeatedId(id)];
    seenIds.add(id);
    const current = currentAnswers.get(id);
    if (current) return current.question === question ? [] : [usedId(id)];
    return isCustomId(id) ? [] : missingMessages(id);
  };
  const form: ItemForm<QuestionOfFile> = {
    ...FORM,
    resolve: (_em, _actor, rows) =>
      rows.map(({ input: { answers = [] }, version }): ResolvedItem => {
        const errors = answers.flatMap(({ id, attribute }) => [
          ...idErrors(id, version?.identity),
          ...(attribute !== null && !attributes.has(attribute) ? missingMessages(attribute) : []),
        ]);
        return { errors: errors.length ? { answers: errors } : {} };
      }),
  };
  const written = await writeItems(em, actor, form, writes, options);
  const parts = answerLists.flatMap((answers, row) =>
    answers.map(({ id, attribute, ...answer }, index) => ({
      identity: currentAnswers.get(id ?? '')?.identity,
      number: id === null ? undefined : numberOf(id),
      values: {
        ...answer,
        question_id: written[row]?.identity ?? 0,
        attribute_id: attributes.get(attribute ?? '') ?? null,
        ordinal: index + 1,
      },
    })),
  );
  await writeParts(em, actor, ANSWERS, parts);
  return written.map(({ id }) => id);
};

/** An existing answer, with the internal id of its question. */
interface CurrentAnswer {
  readonly identity: number;
  readonly question: number;
}

/** The answers that the organization sees, by public id. */
async function currentAnswersOf(
  em: EntityManager,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CurrentAnswer>> {
  if (!ids.length) return new Map();
  const rows = await tables(em, ComponentAnswer)
    .selectFrom('component_answer')
    .select(['item_id', 'id as identity', 'question_id as question'])
    .where('item_id', '=', oneOf(ids))
    .where(builtInOrCustom('component_answer', { organization: actor.organizationId }))
    .execute();
  return new Map(rows.map(({ item_id: id, ...answer }) => [id, answer]));
}
