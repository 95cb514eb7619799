import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { makeProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

interface Section {
  id: string;
  code: string;
  countermeasures: string[];
  covered: boolean;
  project: { countermeasures: number; complete: number } | null;
}

interface Counts {
  sections: number;
  covered: number;
  complete: number | null;
}

interface Coverage {
  summary: Counts & { levels: ({ level: number } & Counts)[] };
  results: Section[];
}

const test = useTestApi();
const coverageOf = (id: string, query: object = {}, api = test.api): Promise<Coverage> =>
  bodyOf(api.get<Coverage>(`/library/regulations/${id}/coverage/`, query as Record<string, string>));

/** A regulation of the organization with three sections; the first refers to two countermeasures, the second to one. */
async function makeRegulation(number: number): Promise<{ id: string; named: [string, string, string] }> {
  const named: string[] = [];
  for (let index = 0; index < 3; index += 1) named.push((await makeCountermeasure(test.api)).id);
  await test.database.query(
    `WITH made AS (INSERT INTO regulation (organization_id, number, name, slug)
       VALUES ($1, $2::integer, 'Ours ' || $2, 'ours-' || $2) RETURNING id),
     sections AS (INSERT INTO regulation_section (organization_id, regulation_id, number, code, title, ordinal)
       SELECT $1, made.id, 10 * $2::integer + n, 'S' || n, 'Section', n FROM made, generate_series(1, 3) n
         RETURNING id, ordinal)
     INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
     SELECT s.id, c.id FROM sections s JOIN countermeasure c
       ON c.organization_id = $1
         AND c.item_id = ANY(CASE s.ordinal WHEN 1 THEN ARRAY[$3, $4] WHEN 2 THEN ARRAY[$5] END::text[])`,
    [test.organization.id, number, ...named],
  );
  return { id: `CREG${number}`, named: named as [string, string, string] };
}

describe('The coverage of a regulation', () => {
  it('reports which sections have countermeasures, with a summary of all sections', async () => {
    const { id, named } = await makeRegulation(1);
    const { summary, results } = await coverageOf(id);
    expect(summary).toEqual({ sections: 3, covered: 2, complete: null, levels: [] });
    expect(results.map(({ countermeasures, covered }) => [countermeasures, covered])).toEqual([
      [named.slice(0, 2), true],
      [named.slice(2), true],
      [[], false],
    ]);
    expect(results.map(({ project }) => project)).toEqual([null, null, null]);
  });

  it('requires a full mapping, or partial mappings that are declared complete', async () => {
    const { id } = await makeRegulation(6);
    const coveredWith = async (strength: string, complete: boolean): Promise<boolean | undefined> => {
      await test.database.query(
        `WITH changed AS (UPDATE regulation_section SET partial_mappings_complete = $3
           WHERE organization_id = $1 AND item_id = 'CRS61' RETURNING id)
         UPDATE regulation_section_countermeasure n SET strength = $2 FROM changed WHERE n.section_id = changed.id`,
        [test.organization.id, strength, complete],
      );
      return (await coverageOf(id)).results[0]?.covered;
    };
    expect(await coveredWith('supports', true)).toBe(false);
    expect(await coveredWith('partial', false)).toBe(false);
    expect(await coveredWith('partial', true)).toBe(true);
    expect(await coveredWith('full', false)).toBe(true);
    await expect(coveredWith('mostly', false)).rejects.toThrow('regulation_section_countermeasure_strength');
  });

  it('reports sections of built-in frameworks without a complete mapping as not covered', async () => {
    const { summary, results } = await coverageOf('REG13', { page_size: '100' });
    const coveredCodes = results.filter(({ covered }) => covered).map(({ code }) => code);
    expect(coveredCodes).toEqual(['32(1)(a)', '32(1)(c)']);
    expect(summary).toMatchObject({ sections: 8, covered: coveredCodes.length });
  });

  it('summarizes all sections regardless of filters', async () => {
    const { id } = await makeRegulation(2);
    const { summary, results } = await coverageOf(id, { covered: 'false' });
    expect(summary).toEqual({ sections: 3, covered: 2, complete: null, levels: [] });
    expect(results).toHaveLength(1);
  });

  it('counts the accepted and the completed countermeasures of each section in a project', async () => {
    const { id, named } = await makeRegulation(3);
    const project = await makeEmptyProject(test);
    const progress = async (): Promise<unknown> => {
      const { summary, results } = await coverageOf(id, { project: String(project.id) });
      const counts = results.map((section) => [section.project?.countermeasures, section.project?.complete]);
      return [summary.complete, ...counts];
    };
    await addCountermeasures(test, project, named);
    expect(await progress()).toEqual([0, [2, 0], [1, 0], [0, 0]]);
    const finish = (task: string): Promise<unknown> =>
      bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status: 'TS1' }));
    await finish(named[0]);
    await finish(named[2]);
    expect(await progress()).toEqual([1, [2, 1], [1, 1], [0, 0]]);
    await test.database.query(
      `UPDATE project_countermeasure t SET accepted = false FROM countermeasure c
       WHERE c.id = t.countermeasure_id AND c.organization_id = $1 AND c.item_id = $2 AND t.project_id = $3`,
      [test.organization.id, named[1], project.id],
    );
    expect(await progress()).toEqual([2, [1, 1], [1, 1], [0, 0]]);
  });

  it('is counted for each level, and not for sections that the edition no longer has', async () => {
    const { id, named } = await makeRegulation(7);
    const set = (section: string, level: number | null, active: boolean): Promise<unknown> =>
      test.database.query(
        'UPDATE regulation_section SET level = $3, active = $4 WHERE organization_id = $1 AND item_id = $2',
        [test.organization.id, section, level, active],
      );
    await set('CRS71', 2, true);
    await set('CRS73', 1, true);
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, named);
    const level1 = { level: 1, sections: 1, covered: 0 };
    const level2 = { level: 2, sections: 1, covered: 1 };
    expect((await coverageOf(id)).summary.levels).toEqual([
      { ...level1, complete: null },
      { ...level2, complete: null },
    ]);
    for (const task of named.slice(0, 2))
      await bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status: 'TS1' }));
    const progress = await coverageOf(id, { project: String(project.id), level__lte: '1' });
    expect(progress.summary.levels).toEqual([
      { ...level1, complete: 0 },
      { ...level2, complete: 1 },
    ]);
    expect(progress.results.map(({ code }) => code)).toEqual(['S3']);

    const tasksOfRegulation = async (): Promise<string[]> =>
      (await rowsOf(test.api.get<List<{ id: string }>>('/library/tasks/', { regulation: id }))).map((task) => task.id);
    await set('CRS71', 2, false);
    const { summary, results } = await coverageOf(id);
    expect(summary).toMatchObject({ sections: 2, covered: 1, levels: [{ level: 1 }] });
    expect(results.map(({ code }) => code)).toEqual(['S2', 'S3']);
    expect(await tasksOfRegulation()).toEqual(named.slice(2));
    expect(await bodyOf(test.api.get(`/library/regulations/${id}/`))).toMatchObject({ sections_count: 2 });
    expect(await bodyOf(test.api.get(`/library/regulations/${id}/sections/`, { active: 'false' }))).toMatchObject({
      results: [{ id: 'CRS71', level: 2, active: false, countermeasures: named.slice(0, 2) }],
    });
  });

  it('is empty for a project that does not exist or that the caller cannot see', async () => {
    const { id } = await makeRegulation(4);
    const project = String((await makeProject(test)).id);
    const outsider = await test.newUser();
    const other = await test.newOrganization();
    for (const [api, regulation, expected] of [
      [test.api, id, '999999'],
      [outsider.api, id, project],
      [other.api, 'REG1', project],
    ] as const) {
      const { summary, results } = await coverageOf(regulation, { project: expected }, api);
      expect([summary.complete, results]).toEqual([0, []]);
    }
  });

  it('returns 404 for a regulation of another organization', async () => {
    const { id } = await makeRegulation(5);
    const other = await test.newOrganization();
    expect((await other.api.get(`/library/regulations/${id}/coverage/`)).status).toBe(404);
  });
});
