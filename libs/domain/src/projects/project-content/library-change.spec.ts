import { useDomain } from '#test/support/domain.js';
import type { Actor } from '../../kernel/actor.js';
import { createWeaknesses } from '../../library/weakness/weakness.commands.js';
import { createApplication } from '../application/application.commands.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject } from '../project/project.commands.js';
import {
  postponeFirstProject,
  propagateLibraryChanges,
  recordLibraryChange,
  refreshDueProjects,
} from './library-change.js';

const domain = useDomain();

let made = 0;

const makeProject = (actor?: Actor): Promise<string> =>
  domain.run(async (em, caller) => {
    const name = `Name ${(made += 1)}`;
    const unit = Number(await createBusinessUnit(em, caller, { name }));
    const application = Number(await createApplication(em, caller, { name, business_unit: unit }));
    return createProject(em, caller, { name, application, profile: null });
  }, actor);

/** Makes projects due this many seconds ago; negative numbers are in the future. */
async function dueSince(seconds: Readonly<Record<string, number>>): Promise<void> {
  await domain.database.query('UPDATE project SET refresh_due_at = NULL');
  await domain.database.query(
    `UPDATE project SET refresh_due_at = now() - make_interval(secs => due.seconds)
     FROM jsonb_to_recordset($1) AS due(id bigint, seconds integer) WHERE project.id = due.id`,
    [JSON.stringify(Object.entries(seconds).map(([id, since]) => ({ id, seconds: since })))],
  );
}

/** The projects that are due now or later, with the seconds until then, in order. */
const dueProjects = async (): Promise<[id: string, seconds: number][]> =>
  (
    await domain.database.query<{ id: string; seconds: number }>(
      `SELECT id, round(extract(epoch FROM refresh_due_at - now()))::integer AS seconds FROM project
       WHERE refresh_due_at IS NOT NULL ORDER BY refresh_due_at`,
    )
  ).map(({ id, seconds }) => [id, seconds]);

const idsDue = async (): Promise<string[]> => (await dueProjects()).map(([id]) => id);

const refresh = (limit: number): Promise<number> =>
  domain.run((em, actor) => refreshDueProjects(em, actor.organizationId, limit));

const recalculated = (): Promise<string[]> =>
  domain.database
    .query<{ project: string }>(
      `SELECT data ->> 'project' AS project FROM activity WHERE name LIKE 'Recalculated%' ORDER BY id`,
    )
    .then((rows) => rows.map(({ project }) => project));

describe('Projects that are due for a refresh', () => {
  it('are refreshed in the order in which they became due, up to a limit, but not before', async () => {
    const [first, second, third, later] = [
      await makeProject(),
      await makeProject(),
      await makeProject(),
      await makeProject(),
    ];
    const foreign = await makeProject(await domain.newOrganization());
    await dueSince({ [first]: 10, [second]: 30, [third]: 20, [later]: -60, [foreign]: 40 });
    expect(await refresh(2)).toBe(2);
    expect(await idsDue()).toEqual([foreign, first, later]);
    expect(await refresh(2)).toBe(1);
    expect(await idsDue()).toEqual([foreign, later]);
    expect(await refresh(2)).toBe(0);
  });

  it('get an activity only if their content changes', async () => {
    const [changes, same] = [await makeProject(), await makeProject()];
    await domain.database.query('DELETE FROM project_weakness WHERE project_id = $1', [changes]);
    await dueSince({ [changes]: 1, [same]: 1 });
    const before = await recalculated();
    expect(await refresh(10)).toBe(2);
    expect((await recalculated()).slice(before.length)).toEqual([changes]);
  });

  it('can be postponed for a minute, the first one first, so that it does not block the others', async () => {
    const [first, second] = [await makeProject(), await makeProject()];
    await dueSince({ [first]: 10, [second]: 30 });
    const postpone = () => domain.run((em, actor) => postponeFirstProject(em, actor.organizationId));
    expect(await postpone()).toBe(Number(second));
    expect(await dueProjects()).toEqual([
      [first, expect.any(Number)],
      [second, expect.closeTo(60, -1)],
    ]);
    expect(await postpone()).toBe(Number(first));
    expect(await postpone()).toBeUndefined();
    expect(await idsDue()).toEqual([second, first]);
  });
});

describe('A change of the library', () => {
  it('makes all projects of the organization due once, and none of another organization', async () => {
    const other = await domain.newOrganization();
    const [one, two, foreign] = [await makeProject(), await makeProject(), await makeProject(other)];
    const propagate = () => domain.run((em, actor) => propagateLibraryChanges(em, actor.organizationId));
    await propagate();
    await dueSince({ [two]: -60 });
    await domain.run((em, actor) => createWeaknesses(em, actor, [{ title: 'New', text: 'Wrong.', risk_rating: 5 }]));
    await domain.run((em, actor) => recordLibraryChange(em, actor.organizationId), other);
    await propagate();
    const due = await idsDue();
    expect(due).toEqual(expect.arrayContaining([one, two]));
    expect(due).not.toContain(foreign);
    expect(await refresh(100)).toBe(due.length);
    await propagate();
    expect(await idsDue()).toEqual([]);
    await domain.run((em, actor) => propagateLibraryChanges(em, actor.organizationId), other);
    expect(await idsDue()).toEqual([foreign]);
  });
});
