import { useDomain } from '#test/support/domain.js';
import { createAttributes, removeAttribute, writeAttributes } from './attribute.commands.js';
import { BUILT_IN_ATTRIBUTE, CIRCULAR, MAX_LEVEL, PERMANENT_ATTRIBUTE, tooDeep } from './attribute.rules.js';

const domain = useDomain();

/** Makes attributes below each other, of which the first is a root; their ids, from the root down. */
async function makeBranch(name: string, levels: number): Promise<string[]> {
  const ids = await domain.run((em, actor) =>
    createAttributes(
      em,
      actor,
      Array.from({ length: levels }, (_, level) => ({ name: `${name} ${level + 1}` })),
    ),
  );
  await domain.run((em, actor) =>
    writeAttributes(
      em,
      actor,
      ids.slice(1).map((id, above) => ({ id, changes: { parent: ids[above] ?? null } })),
    ),
  );
  return ids;
}

const depthOf = async (id: string | undefined): Promise<number | undefined> => {
  const [row] = await domain.database.query<{ depth: number }>(
    'SELECT depth FROM attribute WHERE organization_id = $1 AND item_id = $2',
    [domain.actor.organizationId, id],
  );
  return row?.depth;
};

describe('The attribute tree', () => {
  it('must not contain circles, including those between rows of a list', async () => {
    const [a = '', b = '', c = ''] = await makeBranch('Circle', 3);
    const [other = ''] = await makeBranch('Beside', 1);
    const rejected = await domain.rejection((em, actor) =>
      writeAttributes(em, actor, [
        { id: a, changes: { parent: c } },
        { id: other, changes: { parent: other } },
        { id: b, changes: { name: 'Another name' } },
      ]),
    );
    expect(rejected).toEqual([{ parent: [CIRCULAR] }, { parent: [CIRCULAR] }, undefined]);
    const [left = '', right = ''] = await domain.run((em, actor) =>
      createAttributes(em, actor, [{ name: 'Left' }, { name: 'Right' }]),
    );
    const together = await domain.rejection((em, actor) =>
      writeAttributes(em, actor, [
        { id: left, changes: { parent: right } },
        { id: right, changes: { parent: left } },
      ]),
    );
    expect(together).toEqual([{ parent: [CIRCULAR] }, { parent: [CIRCULAR] }]);
  });

  it('must not exceed the maximum depth, including descendants of a moved attribute', async () => {
    const deep = await makeBranch('Deep', MAX_LEVEL - 1);
    const [root = '', child] = await makeBranch('Two levels', 2);
    const end = deep.at(-1) ?? '';
    const rejected = await domain.rejection((em, actor) =>
      writeAttributes(em, actor, [{ id: root, changes: { parent: end } }, { input: { name: 'Fits', parent: end } }]),
    );
    expect(rejected).toEqual([{ parent: [tooDeep(MAX_LEVEL + 1)] }, undefined]);
    await domain.run((em, actor) => writeAttributes(em, actor, [{ id: root, changes: { parent: deep.at(-2) ?? '' } }]));
    expect(await depthOf(child)).toBe(MAX_LEVEL);
  });

  it('can be inverted in one list', async () => {
    const [a = '', b = '', c = ''] = await makeBranch('Turned', 3);
    await domain.run((em, actor) =>
      writeAttributes(em, actor, [
        { id: a, changes: { parent: b } },
        { id: b, changes: { parent: c } },
        { id: c, changes: { parent: null } },
      ]),
    );
    expect([await depthOf(a), await depthOf(b), await depthOf(c)]).toEqual([3, 2, 1]);
  });
});

describe('Batch commands for attributes', () => {
  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const rejected = await domain.rejection((em, actor) =>
      writeAttributes(em, actor, [
        { input: { name: 'Sound' } },
        { input: { name: 'Below nothing', parent: 'CAT99999' } },
        { id: 'CAT99999', changes: { name: 'Nobody' } },
        { id: 'AT1', changes: { name: 'Built in' } },
        { id: 'AT2', changes: { active: false } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { parent: ['"CAT99999" does not exist.'] },
      'Not found.',
      `Forbidden: ${BUILT_IN_ATTRIBUTE.error}`,
      undefined,
    ]);
  });

  it('do not find attributes of another organization, including as parents', async () => {
    const [id = ''] = await makeBranch('Theirs', 1);
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) =>
        writeAttributes(em, actor, [{ id, changes: { name: 'Ours' } }, { input: { name: 'Below', parent: id } }]),
      other,
    );
    expect(rejected).toEqual(['Not found.', { parent: [`"${id}" does not exist.`] }]);
  });

  it('cannot remove built-in attributes, or those with children unless forced', async () => {
    const [root = '', child] = await makeBranch('In use', 2);
    expect(await domain.rejection((em, actor) => removeAttribute(em, actor, 'AT1', false))).toBe(
      `Forbidden: ${PERMANENT_ATTRIBUTE}`,
    );
    expect(await domain.rejection((em, actor) => removeAttribute(em, actor, root, false))).toEqual({
      non_field_errors: [expect.stringContaining(child ?? ''), expect.stringContaining('force')],
    });
    await domain.run((em, actor) => removeAttribute(em, actor, root, true));
    expect([await depthOf(root), await depthOf(child)]).toEqual([undefined, 1]);
  });
});
