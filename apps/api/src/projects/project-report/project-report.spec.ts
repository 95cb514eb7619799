import { createHash } from 'node:crypto';
import type { ProjectReport } from '#domain/projects/project-report/project-report.js';
import { REPORT_LIMITS } from '#domain/projects/project-report/project-report.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { makeProject, type TestProject } from '#test/support/projects.js';

const test = useTestApi();

const reportPath = (project: TestProject): string => `/projects/${project.id}/report/`;

const reportOf = (project: TestProject): Promise<ProjectReport> =>
  bodyOf(test.api.get<ProjectReport>(reportPath(project)));

const inFormat = (project: TestProject, accept: string) =>
  test.api.with({ Accept: accept }).get<string>(reportPath(project));

/** A project with T1 and T2, of which T1 is complete, and has a note and an analysis. */
async function withWork(note: string, fields: object = {}): Promise<TestProject> {
  const project = await makeEmptyProject(test, { fields });
  await addCountermeasures(test, project, ['T1', 'T2']);
  const task = `/projects/${project.id}/tasks/T1/`;
  const { email } = test.organization.admin;
  await bodyOf(test.api.patch(task, { status: 'TS1', status_note: note, assigned_to: [email] }));
  const findings = [{ desc: '<b>Found</b>', count: 2 }];
  await bodyOf(test.api.post(`${task}analysis-notes/`, { status: 'pass', findings, finding_ref: 'run 7' }), 201);
  await test.database.query(
    `INSERT INTO project_answer (project_id, answer_id) SELECT $1, id FROM survey_answer WHERE item_id = 'A1'`,
    [project.id],
  );
  return project;
}

describe('The report of a project', () => {
  it('has its answers, countermeasures with notes and evidence, and coverage of regulations', async () => {
    const project = await withWork('Done in **2.0**.', { description: 'A shop.' });
    const report = await reportOf(project);
    const author = { email: test.organization.admin.email };
    expect(report).toMatchObject({
      project: { id: project.id, name: project.name, description: 'A shop.', survey_complete: false },
      counts: { relevant: 2, complete: 1, not_applicable: 0, open: 1 },
      answers: [{ answers: [{ id: 'A1' }] }],
      omitted: { countermeasures: 0, notes: 0, evidence: 0 },
    });
    expect(report.countermeasures.map(({ id }) => id).sort()).toEqual([`${project.id}-T1`, `${project.id}-T2`]);
    expect(report.countermeasures.find(({ id }) => id.endsWith('-T1'))).toMatchObject({
      status: { id: 'TS1', name: 'Complete' },
      verification_status: 'pass',
      assigned_to: [author],
      notes: [{ text: 'Done in **2.0**.', author }],
      evidence: [{ status: 'pass', findings: [{ desc: '<b>Found</b>', count: 2 }], finding_ref: 'run 7' }],
    });
    const [first] = report.coverage;
    const query = { project: project.id, page_size: 1 };
    const { summary } = await bodyOf(
      test.api.get<{ summary: { sections: number; complete: number } }>(
        `/library/regulations/${first?.regulation.id}/coverage/`,
        query,
      ),
    );
    expect(first).toMatchObject({ sections: summary.sections, complete: summary.complete });
    expect(first?.addressed).toBeGreaterThan(0);
  });

  it('leaves out countermeasures that are not accepted or not relevant', async () => {
    const project = await withWork('x');
    await bodyOf(test.api.patch(`/projects/${project.id}/tasks/T2/`, { accepted: false }));
    const { countermeasures, counts } = await reportOf(project);
    expect([countermeasures.length, counts.relevant]).toEqual([1, 1]);
  });

  it('is a page that loads and runs nothing, and shows all texts as they were written', async () => {
    const attack = `</pre><script>alert("1")</script><img src=x onerror='alert(2)'>`;
    const project = await withWork(attack, { name: `<i>Shop</i> & ${Date.now()}`, description: attack });
    // As browsers send it.
    const page = await inFormat(project, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    const { status, text, headers } = page;
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/html; charset=utf-8',
      undefined,
    ]);
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(String(headers['content-security-policy']).split(';').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      `style-src 'sha256-${hash}'`,
    ]);
    expect(text).not.toMatch(/<(script|img|link|iframe|form|i|b)[\s>]/i);
    expect(text.match(/&#60;script&#62;|&lt;script&gt;/g)).toHaveLength(2);
    expect(text).toMatch(/<h1>(&#60;|&lt;)i(&#62;|&gt;)Shop/);
  });

  it('is Markdown in which texts add no markup, links or HTML', async () => {
    const project = await withWork('# Not a heading\n1. [x](javascript:alert) <b> &lt;\n| a | b |', {
      name: `Shop *new* [1] ${Date.now()}`,
    });
    const { status, text, headers } = await inFormat(project, 'text/markdown');
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toContain('# Shop \\*new\\* \\[1\\]');
    expect(text).toContain('> \\# Not a heading\n> 1\\. \\[x\\](javascript:alert) \\<b\\> \\&lt;\n> \\| a \\| b \\|');
    expect(text.match(/^#+ /gm)?.length).toBe(1 + 3 + 1 + 2);
    expect(text).toContain('| Regulation | Sections | Addressed | Complete |');
  });

  it.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/markdown, text/html;q=0.5', 'text/markdown'],
    ['text/html;q=0.9, application/json;q=0.1', 'text/html'],
  ])('prefers for Accept: %s the format %s', async (accept, type) => {
    const project = await makeProject(test);
    expect((await inFormat(project, accept)).headers['content-type']).toMatch(type);
  });

  it('rejects other formats', async () => {
    const project = await makeProject(test);
    expect((await inFormat(project, 'application/pdf')).status).toBe(406);
  });

  it('is bounded: it shortens long texts, keeps the latest notes, and says what it leaves out', async () => {
    const project = await withWork('The latest.');
    await test.database.query(
      `INSERT INTO project_countermeasure_note (project_countermeasure_id, text)
       SELECT t.id, repeat('&', 100000) FROM project_countermeasure t, generate_series(1, $2::int)
       WHERE t.project_id = $1 AND t.status_id = 2`,
      [project.id, REPORT_LIMITS.notes + 4],
    );
    await test.database.query(
      `INSERT INTO project_countermeasure (organization_id, project_id, number, title, text, phase_id, priority)
       SELECT p.organization_id, p.id, n, repeat('&', 500), 'x', (SELECT id FROM phase WHERE item_id = 'X3'), 1
       FROM project p, generate_series(1, $2::int) n WHERE p.id = $1`,
      [project.id, REPORT_LIMITS.countermeasures],
    );
    const report = await reportOf(project);
    expect(report.omitted).toEqual({ countermeasures: 2, notes: 5, evidence: 0 });
    expect(report.countermeasures).toHaveLength(REPORT_LIMITS.countermeasures);
    const lengths = report.countermeasures.flatMap(({ notes }) => notes.map(({ text }) => text.length));
    expect(Math.max(...lengths)).toBe(2000);
    expect(JSON.stringify(report).length).toBeLessThan(5_000_000);
    const { text } = await inFormat(project, 'text/html');
    expect(text.length).toBeLessThan(25_000_000);
    expect(text).toContain('This report leaves out 2 countermeasures of the lowest priorities, 5 older notes.');
  });

  it('is only found by those who can see the project', async () => {
    const project = await makeProject(test);
    const stranger = await test.newUser();
    await bodyOf(stranger.api.get(reportPath(project)), 404);
    await bodyOf((await test.newOrganization()).api.get(reportPath(project)), 404);
  });
});
