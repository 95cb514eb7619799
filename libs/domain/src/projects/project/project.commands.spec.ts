import { useDomain } from '#test/support/domain.js';
import { createGroup } from '../../access/group/group.commands.js';
import { createUser } from '../../access/user/user.commands.js';
import type { Actor } from '../../kernel/actor.js';
import { createApplication, removeApplication, updateApplication } from '../application/application.commands.js';
import { createBusinessUnit, removeBusinessUnit } from '../business-unit/business-unit.commands.js';
import { saveDraft } from '../project-survey/project-survey.commands.js';
import { selectAnswer, selectProfile } from '../project-survey/survey-draft.commands.js';
import { createProject, removeProject, updateProject } from './project.commands.js';

const domain = useDomain();

let made = 0;
const unique = (noun: string): string => `${noun} ${(made += 1)}`;

const missing = (id: string | number): string[] => [`"${id}" does not exist.`];

const makeUnit = (): Promise<string> =>
  domain.run((em, actor) => createBusinessUnit(em, actor, { name: unique('Unit') }));

async function makeApplication(): Promise<number> {
  const unit = Number(await makeUnit());
  return Number(
    await domain.run((em, actor) => createApplication(em, actor, { name: unique('Application'), business_unit: unit })),
  );
}

async function makeProject(fields: object = {}): Promise<number> {
  const application = await makeApplication();
  const input = { name: unique('Project'), application, profile: null, ...fields };
  return Number(await domain.run((em, actor) => createProject(em, actor, input)));
}

/** A user without global permissions. */
async function makeUser(): Promise<Actor> {
  const input = { email: `${unique('user').replace(' ', '.')}@example.com`, first_name: 'Grace', last_name: 'User' };
  return domain.actorOf(await domain.run((em, actor) => createUser(em, actor, input)));
}

describe('Project members', () => {
  it('are rejected, with errors by entry, if they are unknown, ambiguous or have two roles', async () => {
    const user = await makeUser();
    const other = await domain.newOrganization();
    const group = await domain.run((em, actor) => createGroup(em, actor, { name: unique('Group') }));
    const application = await makeApplication();
    const rejected = await domain.rejection((em, actor) =>
      createProject(em, actor, {
        name: 'Wrong members',
        application,
        users: [
          { id: user.id, role: 'PR1' },
          { id: user.id, role: 'PR2' },
          { id: other.id },
          { email: 'nobody@example.com' },
          {},
          { id: user.id, email: 'nobody@example.com', role: 'PR1' },
        ],
        groups: [{ id: group, role: 'PR3' }, { id: 'G99999' }, { id: group, role: 'PR4' }],
      }),
    );
    const twice = { role: ['The same member is listed with another role.'] };
    expect(rejected).toEqual({
      users: [
        {},
        twice,
        { id: missing(other.id) },
        { email: missing('nobody@example.com') },
        { email: ['This field or "id" is required.'] },
        { email: ['This is not the e-mail of the user with this id.'] },
      ],
      groups: [{}, { id: missing('G99999') }, twice],
    });
  });

  it('can change only what their roles allow, and other users do not find the project', async () => {
    const [lead, architect, developer, stranger] = [
      await makeUser(),
      await makeUser(),
      await makeUser(),
      await makeUser(),
    ];
    const project = String(
      await makeProject({
        users: [
          { id: lead.id, role: 'PR1' },
          { id: architect.id, role: 'PR2' },
          { id: developer.id, role: 'PR4' },
        ],
      }),
    );
    const rename = (actor: Actor) =>
      domain.rejection((em, caller) => updateProject(em, caller, project, { description: 'x' }), actor);
    const lacking = (capability: string): string =>
      `Forbidden: Your role in this project does not allow you to change this (${capability}).`;
    expect(await rename(architect)).toBe(lacking('project'));
    expect(await rename(developer)).toBe(lacking('project'));
    expect(await rename(stranger)).toBe('Not found.');
    const answer = (actor: Actor) =>
      domain.rejection((em, caller) => selectAnswer(em, caller, project, 'A1', true), actor);
    expect(await answer(developer)).toBe(lacking('survey'));
    await domain.run((em, actor) => updateProject(em, actor, project, { locked: true }), lead);
    expect(await answer(architect)).toBe('Forbidden: This project is locked: only its leads may change it.');
    expect(await domain.rejection((em, actor) => removeProject(em, actor, project), lead)).toBe(
      'Forbidden: Requires the permission "delete_project".',
    );
  });
});

describe('A project', () => {
  it('reports every reference that does not exist, by field', async () => {
    const application = await makeApplication();
    const rejected = await domain.rejection((em, actor) =>
      createProject(em, actor, {
        name: 'Of nothing',
        application: application + 1000,
        profile: 'P99999',
        parent: 99_999,
        base_project: 99_998,
        risk_policy: 99_997,
      }),
    );
    expect(rejected).toEqual({
      application: missing(application + 1000),
      profile: missing('P99999'),
      parent: missing(99_999),
      base_project: missing(99_998),
      risk_policy: missing(99_997),
    });
  });

  it('cannot be a part of itself or its own base', async () => {
    const top = await makeProject();
    const middle = await makeProject({ parent: top });
    const below = await makeProject({ parent: middle });
    const circular = { parent: ["A project can't be a part of itself."] };
    for (const parent of [top, middle, below])
      expect(await domain.rejection((em, actor) => updateProject(em, actor, String(top), { parent }))).toEqual(
        circular,
      );
    expect(await domain.rejection((em, actor) => updateProject(em, actor, String(top), { base_project: top }))).toEqual(
      {
        base_project: ["A project can't be the base of itself."],
      },
    );
  });

  it('must have a unique name in its application, even when it moves there', async () => {
    const [here, there] = [await makeApplication(), await makeApplication()];
    await makeProject({ application: here, name: 'Taken' });
    const moving = await makeProject({ application: there, name: 'TAKEN' });
    const taken = { name: ['The application already has a project with this name.'] };
    const again = domain.rejection((em, actor) => createProject(em, actor, { name: 'taken', application: here }));
    expect(await again).toEqual(taken);
    expect(
      await domain.rejection((em, actor) => updateProject(em, actor, String(moving), { application: here })),
    ).toEqual(taken);
    await domain.run((em, actor) => updateProject(em, actor, String(moving), { application: here, name: 'Free' }));
  });

  it('rejects unknown answers, inactive answers and unknown profiles', async () => {
    const project = String(await makeProject());
    const rejected = (answer: string) =>
      domain.rejection((em, actor) => selectAnswer(em, actor, project, answer, true));
    expect(await rejected('A99999')).toBe('Not found.');
    await domain.database.query("UPDATE survey_answer SET is_active = false WHERE item_id = 'A3'");
    const inactive = domain.rejectionRolledBack((em, actor) => selectAnswer(em, actor, project, 'A3', true));
    expect(await inactive).toEqual({ selected: ['"A3" can\'t be chosen any more.'] });
    expect(await domain.rejection((em, actor) => selectProfile(em, actor, project, 'P99999'))).toEqual({
      profile: missing('P99999'),
    });
    await domain.run((em, actor) => selectAnswer(em, actor, project, 'A1', true));
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => saveDraft(em, actor, project), other)).toBe('Not found.');
  });
});

describe('Applications and business units', () => {
  it('must have unique names and cannot be deleted unless they are empty', async () => {
    const unit = await makeUnit();
    const name = unique('Application');
    const application = await domain.run((em, actor) =>
      createApplication(em, actor, { name, business_unit: Number(unit) }),
    );
    const again = domain.rejection((em, actor) =>
      createApplication(em, actor, { name: name.toUpperCase(), business_unit: Number(unit) }),
    );
    expect(await again).toEqual({ name: ['The business unit already has an application with this name.'] });
    expect(
      await domain.rejection((em, actor) => updateApplication(em, actor, application, { business_unit: 99_999 })),
    ).toEqual({ business_unit: missing(99_999) });
    expect(await domain.rejection((em, actor) => removeBusinessUnit(em, actor, unit))).toEqual({
      non_field_errors: [`The business unit still has applications, such as "${name}". Delete or move them first.`],
    });
    await makeProject({ application: Number(application), archived: true });
    expect(await domain.rejection((em, actor) => removeApplication(em, actor, application))).toEqual({
      non_field_errors: ['The application still has projects (archived ones count too). Delete or move them first.'],
    });
  });
});
