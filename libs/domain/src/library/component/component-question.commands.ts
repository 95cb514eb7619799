import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { missingMessages } from '../../kernel/domain-errors.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { findIdentities, findAndLockIdentities } from '../../kernel/find-identities.js';
import { type ItemTable, writeParts } from '../../kernel/item-batch.commands.js';
import { numberOf } from '../../kernel/item-id.js';
import type { ItemCommand, ItemForm, ResolvedItem } from '../item-batch/item-form.js';
import { writeItems } from '../item-batch/write-items.js';
import { ComponentAnswer, ComponentQuestion } from './component-question.entity.js';
import type { AnswerOfFile, componentQuestionFields } from './component-question.fields.js';

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

/** Creates and changes custom questions of components, with their answers. Throws `RejectedRows`. */
export const writeComponentQuestions: ItemCommand<QuestionOfFile> = async (em, actor, writes, options) => {
  const answerLists = writes.map((write) => ('id' in write ? write.changes : write.input).answers ?? []);
  const attributes = await findAndLockIdentities(
    em,
    actor,
    'attribute',
    answerLists.flat().flatMap(({ attribute }) => attribute ?? []),
  );
  const form: ItemForm<QuestionOfFile> = {
    ...FORM,
    resolve: (_em, _actor, rows) =>
      rows.map(({ input: { answers = [] } }): ResolvedItem => {
        const unknown = answers.flatMap(({ attribute: id }) =>
          id !== null && !attributes.has(id) ? missingMessages(id) : [],
        );
        return { errors: unknown.length ? { answers: unknown } : {} };
      }),
  };
  const written = await writeItems(em, actor, form, writes, options);
  const answers = answerLists.flatMap((entries, row) =>
    entries.map(({ attribute, ...answer }, index) => ({
      ...answer,
      question_id: written[row]?.identity ?? 0,
      attribute_id: attributes.get(attribute ?? '') ?? null,
      ordinal: index + 1,
    })),
  );
  await replaceAnswers(em, actor, answers);
  return written.map(({ id }) => id);
};

async function replaceAnswers(
  em: EntityManager,
  actor: Actor,
  answers: readonly (Pick<AnswerOfFile, 'id' | 'text'> & { readonly ordinal: number })[],
): Promise<void> {
  const currentAnswers = await findIdentities(
    em,
    actor,
    'component_answer',
    answers.flatMap(({ id }) => id ?? []),
  );
  const parts = answers.map(({ id, ...values }) => ({
    identity: id === null ? undefined : currentAnswers.get(id),
    number: id === null ? undefined : numberOf(id),
    values,
  }));
  await writeParts(em, actor, ANSWERS, parts);
}
