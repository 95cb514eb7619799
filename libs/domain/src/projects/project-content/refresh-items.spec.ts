import type { EntityManager } from '@mikro-orm/postgresql';
import { useDomain } from '#test/support/domain.js';
import { createUser } from '../../access/user/user.commands.js';
import type { Actor } from '../../kernel/actor.js';
import { createCountermeasures } from '../../library/countermeasure/countermeasure.commands.js';
import { createApplication } from '../application/application.commands.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject } from '../project/project.commands.js';
import { createAnalysisNote } from '../project-countermeasure/analysis-note.commands.js';
import { updateProjectCountermeasure } from '../project-countermeasure/change.commands.js';
import { createNote } from '../project-countermeasure/note.commands.js';
import { addProjectCountermeasure } from '../project-countermeasure/project-countermeasure.commands.js';
import { refreshProjects } from './refresh-project.js';

const domain = useDomain();

const GRACE = 'grace@example.com';

let made = 0;

/** A project, and a countermeasure that the survey makes relevant. */
interface Place {
  readonly project: string;
  readonly item: string;
  readonly task: string;
}

beforeAll(() =>
  domain.run((em, actor) => createUser(em, actor, { email: GRACE, first_name: 'Grace', last_name: 'Hopper' })),
);

/** Gives a project answer A1 or not, and refreshes it. */
async function answer({ project }: Pick<Place, 'project'>, isGiven: boolean): Promise<void> {
  const statement = isGiven
    ? `INSERT INTO project_answer (project_id, answer_id) SELECT $1, id FROM survey_answer WHERE item_id = 'A1'`
    : 'DELETE FROM project_answer WHERE project_id = $1';
  await domain.database.query(statement, [project]);
  await domain.run((em, actor) => refreshProjects(em, actor, [Number(project)]));
}

async function makePlace(): Promise<Place> {
  const { project, item } = await domain.run(async (em, actor) => {
    const name = `Name ${(made += 1)}`;
    const unit = Number(await createBusinessUnit(em, actor, { name }));
    const application = Number(await createApplication(em, actor, { name, business_unit: unit }));
    const project = await createProject(em, actor, { name, application, profile: null });
    const input = { title: name, text: 'So.', problem: 'P1', priority: 5, phase: 'X3' };
    const conditions = { match_conditions: [{ required: ['A1'] }] };
    const [item = ''] = await createCountermeasures(em, actor, [{ ...input, ...conditions }]);
    return { project, item };
  });
  // The project has the weakness in any case.
  await domain.database.query(
    `DELETE FROM match_condition WHERE weakness_version_id IN (SELECT id FROM weakness_version WHERE item_id = 'P1')`,
  );
  await answer({ project }, true);
  return { project, item, task: `${project}-${item}` };
}

/** The countermeasure in the project; undefined if it has been deleted. */
async function stateOf({ project, item }: Place) {
  const [row] = await domain.database.query<{ relevant: boolean; relevant_via_survey: boolean; accepted: boolean }>(
    `SELECT pc.relevant, pc.relevant_via_survey, pc.accepted FROM project_countermeasure pc
     JOIN countermeasure c ON c.id = pc.countermeasure_id WHERE pc.project_id = $1 AND c.item_id = $2`,
    [project, item],
  );
  return row;
}

const RELEVANT = { relevant: true, relevant_via_survey: true, accepted: true };
const KEPT = { relevant: false, relevant_via_survey: false, accepted: false };

type Work = (place: Place) => (em: EntityManager, actor: Actor) => Promise<unknown>;

const changed =
  (...changes: object[]): Work =>
  ({ project, task }) =>
  async (em, actor) => {
    for (const change of changes) await updateProjectCountermeasure(em, actor, project, task, change);
  };

const analysis: Work =
  ({ project, task }) =>
  (em, actor) =>
    createAnalysisNote(em, actor, { project, task }, { status: 'pass' });

/** Gives a countermeasure an issue in a tracker. */
const issue: Work =
  ({ project, item }) =>
  async (em, { organizationId }) => {
    const insert = (statement: string, ...values: unknown[]) =>
      em.getConnection().execute<{ id: string }>(statement, values, 'get', em.getTransactionContext());
    const connector = await insert(
      `INSERT INTO connector (organization_id, kind, name, system, params, sealed_secrets)
       VALUES (?, 'issue_tracker', 'Tracker', 'github', '{}', '') RETURNING id`,
      organizationId,
    );
    const connection = await insert(
      `INSERT INTO tracker_connection (organization_id, project_id, connector_id, project_key, title_format)
       VALUES (?, ?, ?, 'acme/shop', '$title') RETURNING id`,
      organizationId,
      project,
      connector.id,
    );
    await insert(
      `INSERT INTO tracked_issue (connection_id, project_countermeasure_id)
       SELECT ?, pc.id FROM project_countermeasure pc JOIN countermeasure c ON c.id = pc.countermeasure_id
       WHERE pc.project_id = ? AND c.item_id = ? RETURNING id`,
      connection.id,
      project,
      item,
    );
  };

describe('A countermeasure that is no longer relevant', () => {
  it('is deleted if no one has worked on it, and returns when it is relevant again', async () => {
    const place = await makePlace();
    expect(await stateOf(place)).toEqual(RELEVANT);
    await answer(place, false);
    expect(await stateOf(place)).toBeUndefined();
    await answer(place, true);
    expect(await stateOf(place)).toEqual(RELEVANT);
  });

  it.each<[work: string, Work]>([
    ['its status', changed({ status: 'TS1' })],
    ['a former status', changed({ status: 'TS1' }, { status: 'TS2' })],
    ['a note about its status', changed({ status: 'TS1', status_note: 'Done.' })],
    ['tags', changed({ tags: ['ours'] })],
    ['an empty list of tags', changed({ tags: [] })],
    ['an artifact', changed({ artifact_proxy: 'TICKET-1' })],
    ['an assignee', changed({ assigned_to: [{ email: GRACE }] })],
    [
      'a note',
      ({ project, task }) =>
        (em, actor) =>
          createNote(em, actor, { project, task }, 'Seen.'),
    ],
    ['an analysis result', analysis],
    ['an issue in a tracker', issue],
  ])('is kept if it has only %s, and accepted again when it is relevant again', async (_, work) => {
    const place = await makePlace();
    await domain.run(work(place));
    await answer(place, false);
    expect(await stateOf(place)).toEqual(KEPT);
    await answer(place, true);
    expect(await stateOf(place)).toEqual(RELEVANT);
  });

  it('is kept if it was excluded by hand', async () => {
    const place = await makePlace();
    await domain.run(changed({ accepted: false })(place));
    await answer(place, false);
    expect(await stateOf(place)).toEqual(KEPT);
  });

  it('stays relevant if it was also added by hand', async () => {
    const place = await makePlace();
    await domain.run((em, actor) => addProjectCountermeasure(em, actor, place.project, { task_id: place.item }));
    await answer(place, false);
    expect(await stateOf(place)).toEqual({ ...RELEVANT, relevant_via_survey: false });
  });

  it('keeps all that refers to it', async () => {
    const tables = await domain.database.query<{ name: string }>(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE contype = 'f' AND confrelid = 'project_countermeasure'::regclass ORDER BY 1`,
    );
    // A table that is added here needs a line in `hasWork` and in the list above.
    expect(tables.map(({ name }) => name)).toEqual([
      'project_countermeasure_analysis',
      'project_countermeasure_assignee',
      'project_countermeasure_note',
      'tracked_issue',
    ]);
  });
});
