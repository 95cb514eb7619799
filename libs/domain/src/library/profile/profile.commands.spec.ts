import { useDomain } from '#test/support/domain.js';
import { newItems } from '../../kernel/items/item-write.js';
import { writeProfiles } from './profile.commands.js';

const domain = useDomain();

const input = (name: string, isDefault?: boolean) => ({ name, ...(isDefault !== undefined && { default: isDefault }) });

const defaults = async (): Promise<string[]> => {
  const rows = await domain.database.query<{ name: string }>(
    'SELECT name FROM profile WHERE organization_id = $1 AND is_default',
    [domain.actor.organizationId],
  );
  return rows.map(({ name }) => name);
};

/** Adds an answer of another organization to a built-in question; returns its id. */
async function makeTheirAnswer(): Promise<string> {
  const { organizationId } = await domain.newOrganization();
  const [answer] = await domain.database.query<{ id: string }>(
    `INSERT INTO survey_answer (organization_id, number, question_id, text, ordinal)
     SELECT $1, 501, id, 'Theirs', 501 FROM survey_question WHERE item_id = 'Q1' RETURNING item_id AS id`,
    [organizationId],
  );
  return answer?.id ?? '';
}

describe('Batch commands for profiles', () => {
  it('replace the previous default profile', async () => {
    await domain.run((em, actor) => writeProfiles(em, actor, newItems([input('Before', true)])));
    await domain.run((em, actor) =>
      writeProfiles(em, actor, newItems([input('One'), input('Two', true), input('Three', false)])),
    );
    expect(await defaults()).toEqual(['Two']);
  });

  it('reject all but one default among new and existing profiles, and keep the previous one', async () => {
    const [id = ''] = await domain.run((em, actor) => writeProfiles(em, actor, newItems([input('There')])));
    const before = await defaults();
    const rejected = await domain.rejectionRolledBack((em, actor) =>
      writeProfiles(em, actor, [
        { input: input('A', false) },
        { input: input('B', true) },
        { id, changes: { default: true } },
        { input: input('C', true) },
      ]),
    );
    const second = { default: ['Only one profile can be the default.'] };
    expect(rejected).toEqual([undefined, undefined, second, second]);
    expect(await defaults()).toEqual(before);
  });

  it('report all errors of every row, including answers of another organization', async () => {
    const theirs = await makeTheirAnswer();
    const rejected = await domain.rejectionRolledBack((em, actor) =>
      writeProfiles(em, actor, [
        { input: input('Default', true) },
        { input: { ...input('Twice wrong', true), answers: ['A1', 'A99999', theirs] } },
        { id: 'CP99999', changes: { name: 'Nobody' } },
        { id: 'P1', changes: { name: 'Built in' } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      {
        answers: ['"A99999" does not exist.', '"CA501" does not exist.'],
        default: ['Only one profile can be the default.'],
      },
      'Not found.',
      "Forbidden: Built-in content of this kind can't be changed.",
    ]);
  });

  it('do not find profiles of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => writeProfiles(em, actor, newItems([input('Theirs')])));
    const other = await domain.newOrganization();
    expect(
      await domain.rejection((em, actor) => writeProfiles(em, actor, [{ id, changes: { name: 'Ours' } }]), other),
    ).toEqual(['Not found.']);
  });
});
