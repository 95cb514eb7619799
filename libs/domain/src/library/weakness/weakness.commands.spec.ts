import { useDomain } from '#test/support/domain.js';
import type { Actor } from '../../kernel/actor.js';
import { createWeaknesses, removeWeakness, writeWeaknesses } from './weakness.commands.js';

const domain = useDomain();

const FLAG = 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS';
const TAKEN = { title: ['A weakness with this title already exists.'] };

const input = (title: string) => ({ title, text: 'What goes wrong.', risk_rating: 5 });

/** The same user where the flag is on, or off. */
const withFlag = (on: boolean): Actor => {
  const flags = new Set(domain.actor.flags);
  if (on) flags.add(FLAG);
  else flags.delete(FLAG);
  return { ...domain.actor, flags };
};

const titleOf = async (id: string): Promise<string> => {
  const [row] = await domain.database.query<{ title: string }>(
    'SELECT title FROM weakness_version WHERE item_id = $1 AND organization_id IS NULL',
    [id],
  );
  return row?.title ?? '';
};

describe('Weakness titles', () => {
  it('are rejected if two rows have the same title, regardless of case', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createWeaknesses(em, actor, [input('Twice'), input('Once'), input('TWICE')]),
    );
    expect(rejected).toEqual([TAKEN, undefined, TAKEN]);
  });

  it('are rejected if a built-in or custom weakness has them already', async () => {
    await domain.run((em, actor) => createWeaknesses(em, actor, [input('Has been there')]));
    const shipped = await titleOf('P1');
    const rejected = await domain.rejection((em, actor) =>
      createWeaknesses(em, actor, [input('has been THERE'), input(shipped.toUpperCase()), input('Free')]),
    );
    expect(rejected).toEqual([TAKEN, TAKEN, undefined]);
  });

  it('can be swapped within one list', async () => {
    const ids = await domain.run((em, actor) => createWeaknesses(em, actor, [input('Left'), input('Right')]));
    const [left = '', right = ''] = ids;
    await domain.run((em, actor) =>
      writeWeaknesses(em, actor, [
        { id: left, changes: { title: 'Right' } },
        { id: right, changes: { title: 'Left' } },
      ]),
    );
    const rows = await domain.database.query(
      'SELECT title FROM weakness_version WHERE organization_id = $1 AND item_id = ANY($2) ORDER BY number',
      [domain.actor.organizationId, ids],
    );
    expect(rows).toEqual([{ title: 'Right' }, { title: 'Left' }]);
  });

  it('can be reused by another organization', async () => {
    await domain.run((em, actor) => createWeaknesses(em, actor, [input('Ours alone')]));
    const other = await domain.newOrganization();
    const ids = await domain.run((em, actor) => createWeaknesses(em, actor, [input('Ours alone')]), other);
    expect(ids).toEqual(['CP1']);
  });
});

describe('Batch commands for weaknesses', () => {
  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const rejected = await domain.rejectionRolledBack((em, actor) =>
      writeWeaknesses(em, actor, [
        { input: input('Sound') },
        { input: { ...input('Of no CWE'), cwe: [79, 9_999_999, 8_888_888] } },
        { id: 'CP99999', changes: { title: 'Nobody' } },
        { id: 'P2', changes: { cwe: [79], title: 'sound' } },
      ]),
    );
    expect(rejected).toEqual([
      TAKEN,
      { cwe: ['"9999999" does not exist.', '"8888888" does not exist.'] },
      'Not found.',
      { cwe: ["The CWEs of built-in weaknesses can't be changed."], ...TAKEN },
    ]);
  });

  it('do not find weaknesses of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => createWeaknesses(em, actor, [input('Hidden')]));
    const other = await domain.newOrganization();
    const rejected = await domain.rejectionRolledBack(
      (em, actor) =>
        writeWeaknesses(em, actor, [
          { id, changes: { title: 'Found' } },
          { id: 'P3', changes: { title: 'Seen by all' } },
        ]),
      other,
    );
    expect(rejected).toEqual(['Not found.', undefined]);
  });

  it('reject only the rows that change "active" if its flag is off', async () => {
    const rejected = await domain.rejectionRolledBack(
      (em, actor) =>
        writeWeaknesses(em, actor, [
          { input: { ...input('Inactive'), active: false } },
          { input: { ...input('Active'), active: true } },
          { id: 'P1', changes: { active: true } },
          { id: 'P2', changes: { risk_rating: 3 } },
        ]),
      withFlag(false),
    );
    const forbidden = expect.stringMatching(new RegExp(`^Forbidden: .*${FLAG}`)) as unknown;
    expect(rejected).toEqual([forbidden, undefined, forbidden, undefined]);
  });

  it('deactivate the countermeasures of deactivated weaknesses, but no others', async () => {
    await domain.run(
      (em, actor) =>
        writeWeaknesses(em, actor, [
          { id: 'P4', changes: { active: false } },
          { id: 'P5', changes: { risk_rating: 2 } },
        ]),
      withFlag(true),
    );
    const rows = await domain.database.query(
      `SELECT DISTINCT w.item_id, v.active FROM countermeasure_version v JOIN weakness w ON w.id = v.weakness_id
       WHERE v.organization_id = $1 AND w.item_id IN ('P4', 'P5')`,
      [domain.actor.organizationId],
    );
    expect(rows).toEqual([{ item_id: 'P4', active: false }]);
  });
});

describe('A weakness', () => {
  it('cannot be replaced by itself or by a weakness that does not exist when it is removed', async () => {
    const [id = ''] = await domain.run((em, actor) => createWeaknesses(em, actor, [input('To go')]));
    expect(await domain.rejection((em, actor) => removeWeakness(em, actor, id, id))).toEqual({
      new_weakness_id: ['This is the weakness to be deleted.'],
    });
    expect(await domain.rejection((em, actor) => removeWeakness(em, actor, id, 'P99999'))).toEqual({
      new_weakness_id: ['"P99999" does not exist.'],
    });
  });

  it('cannot be removed if it is built-in, and is not found by another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => createWeaknesses(em, actor, [input('Stays')]));
    expect(await domain.rejection((em, actor) => removeWeakness(em, actor, 'P7'))).toMatch(/^Forbidden: /);
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => removeWeakness(em, actor, id), other)).toBe('Not found.');
  });
});
