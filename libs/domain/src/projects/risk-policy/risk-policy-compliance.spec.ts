import type { EntityManager } from '@mikro-orm/postgresql';
import { useDomain } from '#test/support/domain.js';
import type { Actor } from '../../kernel/actor.js';
import { createApplication, updateApplication } from '../application/application.commands.js';
import { createBusinessUnit, updateBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject, updateProject } from '../project/project.commands.js';
import { createAnalysisNote, updateAnalysisNote } from '../project-countermeasure/analysis-note.commands.js';
import { updateProjectCountermeasure } from '../project-countermeasure/change.commands.js';
import {
  addProjectCountermeasure,
  removeProjectCountermeasure,
} from '../project-countermeasure/project-countermeasure.commands.js';
import { DONE } from './default-risk-policy.js';
import { createRiskPolicy, removeRiskPolicy, updateRiskPolicy } from './risk-policy.commands.js';
import { refreshCompliance } from './risk-policy-compliance.js';
import type { RiskPolicyInput } from './risk-policy.fields.js';

const domain = useDomain();

// Projects contain only what the tests add.
beforeAll(() => domain.database.query('UPDATE weakness_version SET active = false'));

let made = 0;
const unique = (noun: string): string => `${noun} ${(made += 1)}`;

type Change = (em: EntityManager, actor: Actor) => Promise<unknown>;
const run = <Result>(command: (em: EntityManager, actor: Actor) => Promise<Result>) => domain.run(command);

const STRICT = { conditions: DONE };
const LAX = { conditions: { statuses: [] } };

const makePolicy = (fields: Partial<RiskPolicyInput>): Promise<string> =>
  run((em, actor) => createRiskPolicy(em, actor, { name: unique('Policy'), ...fields }));

/** A project with one open countermeasure of priority 5 in phase X3. */
interface Place {
  readonly unit: string;
  readonly application: string;
  readonly project: string;
  readonly task: string;
}

async function makePlace(unitFields: object = {}, projectFields: object = {}): Promise<Place> {
  const place = await run(async (em, actor) => {
    const unit = await createBusinessUnit(em, actor, { name: unique('Unit'), ...unitFields });
    const name = unique('Application');
    const application = await createApplication(em, actor, { name, business_unit: Number(unit) });
    const input = { name: unique('Project'), application: Number(application), profile: null, ...projectFields };
    const project = await createProject(em, actor, input);
    const own = { title: 'Own', text: 'Do it.', phase: 'X3', priority: 5 };
    return { unit, application, project, task: await addProjectCountermeasure(em, actor, project, own) };
  });
  await domain.database.query('UPDATE project SET survey_complete = true WHERE id = $1', [place.project]);
  await run((em, actor) => refreshCompliance(em, actor, [Number(place.project)]));
  return place;
}

/** Whether each project complies, as stored. */
async function complianceOf(...places: readonly Place[]): Promise<(boolean | null)[]> {
  const rows = await domain.database.query<{ id: string; compliant: boolean | null }>(
    'SELECT id, risk_policy_compliant AS compliant FROM project WHERE id = ANY ($1)',
    [places.map(({ project }) => project)],
  );
  return places.map(({ project }) => rows.find(({ id }) => id === project)?.compliant ?? null);
}

describe('When a risk policy changes', () => {
  /** Projects with no policy, with one of their business unit, and with their own; and the policies of the last two. */
  async function projects(defaultPolicy: Partial<RiskPolicyInput>, others: Partial<RiskPolicyInput> = LAX) {
    const [preset, ofUnit, own] = [
      await makePolicy({ ...defaultPolicy, is_org_default: true }),
      await makePolicy(others),
      await makePolicy(others),
    ];
    const places = [
      await makePlace(),
      await makePlace({ default_risk_policy: Number(ofUnit) }),
      await makePlace({}, { risk_policy: Number(own) }),
    ] as const;
    return { preset, ofUnit, own, places };
  }

  type Projects = Awaited<ReturnType<typeof projects>>;
  const updated =
    (which: 'preset' | 'ofUnit' | 'own', changes: Partial<RiskPolicyInput>) =>
    (made: Projects): Change =>
    (em, actor) =>
      updateRiskPolicy(em, actor, made[which], changes);

  it.each<[title: string, policies: Partial<RiskPolicyInput>, change: (made: Projects) => Change, then: boolean[]]>([
    [
      'a stricter default is created',
      LAX,
      () => (em, actor) => createRiskPolicy(em, actor, { name: unique('New'), is_org_default: true, ...STRICT }),
      [false, true, true],
    ],
    ['the default gets conditions', LAX, updated('preset', STRICT), [false, true, true]],
    ['the default is unset', STRICT, updated('preset', { is_org_default: false }), [true, true, true]],
    [
      'the default is unset in a change of other fields',
      STRICT,
      updated('preset', { is_org_default: false, description: 'Old.' }),
      [true, true, true],
    ],
    ['the default loses its conditions', STRICT, updated('preset', LAX), [true, true, true]],
    [
      'the default no longer selects their countermeasures',
      STRICT,
      updated('preset', { filters: { priority: [6] } }),
      [true, true, true],
    ],
    [
      'the default is deleted',
      STRICT,
      (made) => (em, actor) => removeRiskPolicy(em, actor, made.preset),
      [true, true, true],
    ],
    ['that of a business unit gets conditions', LAX, updated('ofUnit', STRICT), [true, false, true]],
    ['that of a project gets conditions', LAX, updated('own', STRICT), [true, true, false]],
    [
      'that of a business unit becomes the default',
      STRICT,
      updated('ofUnit', { is_org_default: true }),
      [true, true, true],
    ],
    [
      'one becomes the default and gets conditions in the same change',
      LAX,
      updated('own', { is_org_default: true, ...STRICT }),
      [false, true, false],
    ],
    ['one that is not the default is unset', STRICT, updated('own', { is_org_default: false }), [false, true, true]],
  ])('because %s, it updates the compliance of the projects that it applies to', async (_, policies, change, then) => {
    const made = await projects(policies);
    expect(await complianceOf(...made.places)).toEqual([policies === LAX, true, true]);
    await run(change(made));
    expect(await complianceOf(...made.places)).toEqual(then);
  });

  it('does not change the compliance of another organization', async () => {
    const { places } = await projects(STRICT);
    const other = await domain.newOrganization();
    await domain.run((em, actor) => createRiskPolicy(em, actor, { name: 'Theirs', is_org_default: true }), other);
    expect(await complianceOf(...places)).toEqual([false, true, true]);
  });
});

describe('When another risk policy applies to projects', () => {
  interface Setting {
    readonly place: Place;
    readonly lax: number;
    readonly laxPlace: Place;
  }
  it.each<[title: string, change: (setting: Setting) => Change]>([
    [
      'the project gets its own',
      ({ place, lax }) =>
        (em, actor) =>
          updateProject(em, actor, place.project, { risk_policy: lax }),
    ],
    [
      'the business unit gets another default',
      ({ place, lax }) =>
        (em, actor) =>
          updateBusinessUnit(em, actor, place.unit, { default_risk_policy: lax }),
    ],
    [
      'the application moves to another business unit',
      ({ place, laxPlace }) =>
        (em, actor) =>
          updateApplication(em, actor, place.application, { business_unit: Number(laxPlace.unit) }),
    ],
    [
      'the project moves to another application',
      ({ place, laxPlace }) =>
        (em, actor) =>
          updateProject(em, actor, place.project, { application: Number(laxPlace.application) }),
    ],
  ])('because %s, their compliance is updated, also when it is undone', async (_, change) => {
    await makePolicy({ ...STRICT, is_org_default: true });
    const lax = Number(await makePolicy(LAX));
    const [place, laxPlace, bystander] = [
      await makePlace(),
      await makePlace({ default_risk_policy: lax }),
      await makePlace(),
    ];
    expect(await complianceOf(place, laxPlace, bystander)).toEqual([false, true, false]);
    await run(change({ place, lax, laxPlace }));
    expect(await complianceOf(place, laxPlace, bystander)).toEqual([true, true, false]);
    await run(async (em, actor) => {
      await updateProject(em, actor, place.project, { risk_policy: null, application: Number(place.application) });
      await updateApplication(em, actor, place.application, { business_unit: Number(place.unit) });
      await updateBusinessUnit(em, actor, place.unit, { default_risk_policy: null });
    });
    expect(await complianceOf(place, laxPlace, bystander)).toEqual([false, true, false]);
  });
});

describe('When a countermeasure of a project changes, the compliance of the project follows', () => {
  const changed =
    (fields: object) =>
    ({ project, task }: Place): Change =>
    (em, actor) =>
      updateProjectCountermeasure(em, actor, project, task, fields);

  it.each<[title: string, filters: object, change: (place: Place) => Change, undo: (place: Place) => Change]>([
    ['its status', {}, changed({ status: 'TS1' }), changed({ status: 'TS2' })],
    ['its acceptance', {}, changed({ accepted: false }), changed({ accepted: true })],
    ['its priority', { priority: [5] }, changed({ priority: 4 }), changed({ priority: 5 })],
    ['its phase', { phases: ['X3'] }, changed({ phase: 'X4' }), changed({ phase: 'X3' })],
    ['its tags', { tags: ['urgent', 'late'] }, changed({ tags: ['calm'] }), changed({ tags: ['calm', 'late'] })],
  ])('through %s', async (_, filters, change, undo) => {
    await makePolicy({ ...STRICT, filters, is_org_default: true });
    const place = await makePlace();
    if ('tags' in filters) await run(undo(place));
    expect(await complianceOf(place)).toEqual([false]);
    await run(change(place));
    expect(await complianceOf(place)).toEqual([true]);
    await run(undo(place));
    expect(await complianceOf(place)).toEqual([false]);
  });

  it('through its addition and removal, also while the project is locked against changes of the library', async () => {
    await makePolicy({ ...STRICT, is_org_default: true });
    for (const content_refresh_locked of [false, true]) {
      const { project, task, ...rest } = await makePlace({}, { content_refresh_locked });
      const place = { project, task, ...rest };
      await run((em, actor) => removeProjectCountermeasure(em, actor, project, task));
      expect(await complianceOf(place)).toEqual([true]);
      await run((em, actor) => addProjectCountermeasure(em, actor, project, { task_id: 'T12' }));
      expect(await complianceOf(place)).toEqual([false]);
      await run((em, actor) => removeProjectCountermeasure(em, actor, project, `${project}-T12`));
      expect(await complianceOf(place)).toEqual([true]);
    }
  });

  it('through the results of its analysis', async () => {
    const verified = { task_status: 'TS2', minimum_verification_status: 'partial' } as const;
    await makePolicy({ conditions: { statuses: [verified] }, is_org_default: true });
    const place = await makePlace();
    const path = { project: place.project, task: place.task };
    const compliance: (boolean | null)[] = [];
    const step = async <Result>(command: (em: EntityManager, actor: Actor) => Promise<Result>): Promise<Result> => {
      const result = await run(command);
      compliance.push(...(await complianceOf(place)));
      return result;
    };
    const note = await step((em, actor) => createAnalysisNote(em, actor, path, { status: 'pass' }));
    await step((em, actor) => updateAnalysisNote(em, actor, path, note, { status: 'fail' }));
    await step((em, actor) => updateAnalysisNote(em, actor, path, note, { status: 'partial' }));
    await step((em, actor) => createAnalysisNote(em, actor, path, { status: 'fail', behaviour: 'combine' }));
    await step((em, actor) => createAnalysisNote(em, actor, path, { status: 'pass', behaviour: 'combine' }));
    await step((em, actor) => createAnalysisNote(em, actor, path, { status: 'partial', behaviour: 'replace' }));
    expect(compliance).toEqual([true, false, true, false, false, true]);
  });
});
