import { useDomain } from '#test/support/domain.js';
import { writeComponentQuestions } from './component-question.commands.js';

const domain = useDomain();

const answer = (text: string, attribute: string | null = null, id: string | null = null) => ({
  id,
  text,
  description: '',
  attribute,
});

const question = (text: string, ...answers: ReturnType<typeof answer>[]) => ({
  text,
  question_type: 'SC' as const,
  answers,
});

const answersOf = (id: string) =>
  domain.database.query<{ item_id: string; text: string; attribute: string | null }>(
    `SELECT a.item_id, a.text, t.item_id AS attribute FROM component_answer a
       JOIN component_question q ON q.id = a.question_id LEFT JOIN attribute t ON t.id = a.attribute_id
     WHERE q.organization_id = $1 AND q.item_id = $2 ORDER BY a.ordinal`,
    [domain.actor.organizationId, id],
  );

describe('Batch commands for component questions', () => {
  it('create the questions, each with its own answers', async () => {
    const [one = '', two = ''] = await domain.run((em, actor) =>
      writeComponentQuestions(em, actor, [
        { input: question('One?', answer('Yes', 'AT1'), answer('No')) },
        { input: question('Two?', answer('Perhaps', 'AT2')) },
      ]),
    );
    const texts = async (id: string) => (await answersOf(id)).map(({ text, attribute }) => [text, attribute]);
    expect(await texts(one)).toEqual([
      ['Yes', 'AT1'],
      ['No', null],
    ]);
    expect(await texts(two)).toEqual([['Perhaps', 'AT2']]);
  });

  it('keep the ids of changed answers', async () => {
    const [id = ''] = await domain.run((em, actor) =>
      writeComponentQuestions(em, actor, [{ input: question('Kept?', answer('Before')) }]),
    );
    const [before] = await answersOf(id);
    await domain.run((em, actor) =>
      writeComponentQuestions(em, actor, [
        { id, changes: { answers: [answer('After', 'AT3', before?.item_id ?? null)] } },
      ]),
    );
    expect(await answersOf(id)).toEqual([{ item_id: before?.item_id, text: 'After', attribute: 'AT3' }]);
  });

  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const rejected = await domain.rejection((em, actor) =>
      writeComponentQuestions(em, actor, [
        { input: question('Sound?', answer('Yes', 'AT1')) },
        { input: question('Wrong?', answer('Yes', 'AT99999'), answer('No', 'CAT99999')) },
        { id: 'CAQ99999', changes: { text: 'Nobody?' } },
        { id: 'AQ1', changes: { text: 'Built in?' } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { answers: ['"AT99999" does not exist.', '"CAT99999" does not exist.'] },
      'Not found.',
      "Forbidden: Built-in content of this kind can't be changed.",
    ]);
  });

  it('reject answers of other questions, unknown built-in answers and repeated ids', async () => {
    const [first = '', second = ''] = await domain.run((em, actor) =>
      writeComponentQuestions(em, actor, [
        { input: question('First?', answer('Yes'), answer('No')) },
        { input: question('Second?', answer('Yes')) },
      ]),
    );
    const [yes, no] = (await answersOf(first)).map(({ item_id: id }) => id);
    const rejected = await domain.rejection((em, actor) =>
      writeComponentQuestions(em, actor, [
        { id: second, changes: { answers: [answer('Stolen', null, yes)] } },
        { id: first, changes: { answers: [answer('Once', null, no), answer('Twice', null, no)] } },
        { input: question('Third?', answer('Built in', null, 'AA1'), answer('Unknown', null, 'AA99999')) },
      ]),
    );
    const used = (id: string | undefined) => `"${id}" has been used before, and ids are never reused.`;
    expect(rejected).toEqual([
      { answers: [used(yes)] },
      { answers: [`"${no}" is given twice.`] },
      { answers: [used('AA1'), '"AA99999" does not exist.'] },
    ]);
  });

  it('do not find questions of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) =>
      writeComponentQuestions(em, actor, [{ input: question('Whose?') }]),
    );
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) => writeComponentQuestions(em, actor, [{ id, changes: { text: 'Ours?' } }]),
      other,
    );
    expect(rejected).toEqual(['Not found.']);
  });
});
