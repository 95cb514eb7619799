import { useDomain } from '#test/support/domain.js';
import { createUser } from '../../access/user/user.commands.js';
import type { Actor } from '../../kernel/actor.js';
import { createCountermeasures } from '../../library/countermeasure/countermeasure.commands.js';
import { createApplication } from '../application/application.commands.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject } from '../project/project.commands.js';
import { updateProjectCountermeasure } from './change.commands.js';
import { addProjectCountermeasure, removeProjectCountermeasure } from './project-countermeasure.commands.js';

const domain = useDomain();

let made = 0;

const missing = (id: string): string[] => [`"${id}" does not exist.`];

const own = { title: 'Own', text: 'Do it.', phase: 'X3', priority: 5 };

const makeProject = (
  users: { readonly id: number; readonly role: 'PR4' | 'PR5' }[] = [],
  profile: string | null = null,
): Promise<string> =>
  domain.run(async (em, actor) => {
    const name = `Name ${(made += 1)}`;
    const unit = Number(await createBusinessUnit(em, actor, { name }));
    const application = Number(await createApplication(em, actor, { name, business_unit: unit }));
    return createProject(em, actor, { name, application, profile, users });
  });

const makeLibraryItem = async (fields: object = {}): Promise<string> => {
  const input = { title: 'Of the library', text: 'So.', problem: 'P1', priority: 5, phase: 'X3' };
  const never = { match_conditions: [{ required: ['A1'], excluded: ['A2'] }] };
  const [id = ''] = await domain.run((em, actor) =>
    createCountermeasures(em, actor, [{ ...input, ...never, ...fields }]),
  );
  return id;
};

async function makeUser(active = true): Promise<{ readonly email: string; readonly actor: Actor }> {
  const email = `user.${(made += 1)}@example.com`;
  const input = { email, first_name: 'Grace', last_name: 'User', is_active: active };
  return { email, actor: await domain.actorOf(await domain.run((em, actor) => createUser(em, actor, input))) };
}

describe('Adding a countermeasure to a project', () => {
  it('requires either a library item or all fields of a custom one, but not both', async () => {
    const project = await makeProject();
    const rejected = (input: object) =>
      domain.rejection((em, actor) => addProjectCountermeasure(em, actor, project, input));
    expect(await rejected({ task_id: 'T12', title: 'x' })).toEqual({
      non_field_errors: [expect.stringContaining('not both')],
    });
    const required = ['This field is required.'];
    expect(await rejected({ title: 'x', priority: 5 })).toEqual({ text: required, phase: required });
    expect(await rejected({ ...own, phase: 'X99999' })).toEqual({ phase: missing('X99999') });
  });

  it('rejects a countermeasure that does not exist, is inactive or has been added already', async () => {
    const project = await makeProject();
    const [id, inactive] = [await makeLibraryItem(), await makeLibraryItem({ active: false })];
    const add = (task: string) =>
      domain.rejection((em, actor) => addProjectCountermeasure(em, actor, project, { task_id: task }));
    expect(await add('T99999')).toEqual({ task_id: missing('T99999') });
    expect(await add(inactive)).toEqual({ task_id: [`"${inactive}" is not active.`] });
    await domain.run((em, actor) => addProjectCountermeasure(em, actor, project, { task_id: id }));
    expect(await add(id)).toEqual({ task_id: [`"${id}" has already been added to this project.`] });
  });

  it('can be undone, but a countermeasure from the project content cannot be removed', async () => {
    const project = await makeProject();
    const added = await domain.run((em, actor) => addProjectCountermeasure(em, actor, project, own));
    const full = await makeProject([], 'P1');
    const [included] = await domain.database.query<{ id: string }>(
      `SELECT min(c.item_id) AS id FROM project_countermeasure t JOIN countermeasure c ON c.id = t.countermeasure_id
       WHERE t.project_id = $1 AND t.relevant_via_survey`,
      [full],
    );
    const rejected = domain.rejection((em, actor) => removeProjectCountermeasure(em, actor, full, included?.id ?? ''));
    expect(await rejected).toBe(
      'Forbidden: The content of this project includes it. Set "accepted" to false to exclude it.',
    );
    await domain.run((em, actor) => removeProjectCountermeasure(em, actor, project, added));
    expect(await domain.rejection((em, actor) => removeProjectCountermeasure(em, actor, project, added))).toBe(
      'Not found.',
    );
  });
});

describe('Changing a countermeasure in a project', () => {
  it('reports a status, phase and assignees that do not exist', async () => {
    const project = await makeProject();
    const id = await domain.run((em, actor) => addProjectCountermeasure(em, actor, project, own));
    const [present, gone] = [await makeUser(), await makeUser(false)];
    const rejected = await domain.rejection((em, actor) =>
      updateProjectCountermeasure(em, actor, project, id, {
        status: 'TS99999',
        status_note: 'Not written.',
        title: 'Changed',
        phase: 'X99999',
        assigned_to: [{ email: present.email }, { email: gone.email }, { email: 'nobody@example.com' }],
      }),
    );
    expect(rejected).toEqual({
      status: missing('TS99999'),
      phase: missing('X99999'),
      assigned_to: [...missing(gone.email), ...missing('nobody@example.com')],
    });
  });

  it('is limited to the status for developers and forbidden for readers', async () => {
    const [developer, reader, stranger] = [await makeUser(), await makeUser(), await makeUser()];
    const project = await makeProject([
      { id: developer.actor.id, role: 'PR4' },
      { id: reader.actor.id, role: 'PR5' },
    ]);
    const id = await domain.run((em, actor) => addProjectCountermeasure(em, actor, project, own));
    const change = (actor: Actor, changes: object) =>
      domain.rejection((em, caller) => updateProjectCountermeasure(em, caller, project, id, changes), actor);
    const lacking = (capability: string): string =>
      `Forbidden: Your role in this project does not allow you to change this (${capability}).`;
    expect(await change(developer.actor, { status: 'TS1', title: 'Changed' })).toBe(lacking('tasks'));
    expect(await change(reader.actor, { status: 'TS1' })).toBe(lacking('status'));
    expect(await change(stranger.actor, { status: 'TS1' })).toBe('Not found.');
    await domain.run(
      (em, actor) => updateProjectCountermeasure(em, actor, project, id, { status: 'TS1' }),
      developer.actor,
    );
  });

  it('does not find the countermeasure of another project', async () => {
    const [one, two] = [await makeProject(), await makeProject()];
    const id = await domain.run((em, actor) => addProjectCountermeasure(em, actor, one, own));
    const rejected = (project: string, task: string) =>
      domain.rejection((em, actor) => updateProjectCountermeasure(em, actor, project, task, { status: 'TS1' }));
    expect(await rejected(two, id)).toBe('Not found.');
    expect(await rejected(one, `${one}-PT99999`)).toBe('Not found.');
    expect(await rejected('99999999', id)).toBe('Not found.');
  });
});
