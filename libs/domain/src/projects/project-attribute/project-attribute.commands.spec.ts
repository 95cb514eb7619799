import { useDomain } from '#test/support/domain.js';
import { createAttributes } from '../../library/attribute/attribute.commands.js';
import { createApplication } from '../application/application.commands.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject } from '../project/project.commands.js';
import { addAttributes, changeReason, removeManualSource } from './project-attribute.commands.js';

const domain = useDomain();

let made = 0;

const makeProject = (): Promise<string> =>
  domain.run(async (em, actor) => {
    const name = `Name ${(made += 1)}`;
    const unit = Number(await createBusinessUnit(em, actor, { name }));
    const application = Number(await createApplication(em, actor, { name, business_unit: unit }));
    return createProject(em, actor, { name, application, profile: null });
  });

const sourcesOf = (project: string) =>
  domain.database.query<{ id: string; reason: string }>(
    `SELECT a.item_id AS id, s.reason FROM project_attribute_source s JOIN attribute a ON a.id = s.attribute_id
     WHERE s.project_id = $1 AND s.type = 'manual' ORDER BY a.number`,
    [project],
  );

describe('Manual attributes of a project', () => {
  it('are all rejected, with errors by entry, if one does not exist or has two reasons', async () => {
    const project = await makeProject();
    const other = await domain.newOrganization();
    const [theirs = ''] = await domain.run((em, actor) => createAttributes(em, actor, [{ name: 'Theirs' }]), other);
    const rejected = await domain.rejection((em, actor) =>
      addAttributes(em, actor, project, [
        { id: 'AT1', reason: 'First' },
        { id: 'AT99999' },
        { id: 'AT1', reason: 'Second' },
        { id: 'AT1' },
        { id: theirs },
      ]),
    );
    const missing = (id: string) => ({ id: [`"${id}" does not exist.`] });
    expect(rejected).toEqual({
      attributes: [
        {},
        missing('AT99999'),
        { reason: ['The same attribute is listed with another reason.'] },
        {},
        missing(theirs),
      ],
    });
    expect(await sourcesOf(project)).toEqual([]);
  });

  it('keep their reason if they are added again without one', async () => {
    const project = await makeProject();
    const add = (...entries: { id: string; reason?: string }[]) =>
      domain.run((em, actor) => addAttributes(em, actor, project, entries));
    await add({ id: 'AT1', reason: 'Because' }, { id: 'AT2' });
    await add({ id: 'AT1' }, { id: 'AT2', reason: 'Now' }, { id: 'AT2' });
    expect(await sourcesOf(project)).toEqual([
      { id: 'AT1', reason: 'Because' },
      { id: 'AT2', reason: 'Now' },
    ]);
  });

  it('can be changed and removed only in the project to which they were added', async () => {
    const [project, other] = [await makeProject(), await makeProject()];
    await domain.run((em, actor) => addAttributes(em, actor, project, [{ id: 'AT1' }]));
    for (const [where, id] of [
      [other, 'AT1'],
      [project, 'AT2'],
      [project, 'x'],
      ['99999999', 'AT1'],
    ] as const) {
      expect(await domain.rejection((em, actor) => changeReason(em, actor, where, id, 'x'))).toBe('Not found.');
      expect(await domain.rejection((em, actor) => removeManualSource(em, actor, where, id))).toBe('Not found.');
    }
    await domain.run((em, actor) => removeManualSource(em, actor, project, 'AT1'));
    expect(await sourcesOf(project)).toEqual([]);
  });

  it('cannot be added to a project of another organization', async () => {
    const project = await makeProject();
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => addAttributes(em, actor, project, [{ id: 'AT1' }]), other)).toBe(
      'Not found.',
    );
  });
});
