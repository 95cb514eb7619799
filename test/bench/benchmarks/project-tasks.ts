// `npm run bench -- project-tasks [--projects N] [--tasks N] [--seconds N]`: delays of a project's list of
// countermeasures, whole and filtered, and of a change of one, among many projects (1,000 with 300 countermeasures
// each).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { APPLICATION_SEED, startDatabase, startService } from '../deployment.ts';
import { measure } from '../load.ts';
import type { Scenario } from '../scenarios.ts';

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    tasks: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
  },
});
const projects = Number(values.projects);
const tasks = Number(values.tasks);

/** Projects with countermeasures of the organization's own library, some of them complete, assigned or noted. */
const SEED = [
  ...APPLICATION_SEED,
  `INSERT INTO project (organization_id, application_id, name, slug)
   SELECT organization_id, a.id, 'Project ' || n, 'project-' || n
     FROM application a, generate_series(1, ${projects}) n`,
  `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey, status_id,
    became_relevant_at)
   SELECT p.organization_id, p.id, c.id, true, 1 + c.number % 3, clock_timestamp() FROM project p
   CROSS JOIN LATERAL (SELECT c.id, c.number FROM countermeasure c WHERE c.organization_id = p.organization_id
     ORDER BY hashint8(c.id * 31 + p.id) LIMIT ${tasks}) c`,
  `INSERT INTO project_countermeasure_assignee SELECT t.id, u.id FROM project_countermeasure t, user_account u
    WHERE t.id % 5 = 0`,
  `INSERT INTO project_countermeasure_note (project_countermeasure_id, text) SELECT id, 'Looked at.'
    FROM project_countermeasure WHERE id % 3 = 0`,
  'VACUUM ANALYZE',
];

const of = (n: number): number => 1 + ((n * 7919) % projects);

const scenario = (name: string, rest: (n: number) => string, body?: (n: number) => string): Scenario => ({
  name,
  about: name,
  method: body ? 'PATCH' : 'GET',
  path: (n) => `/api/v2/projects/${of(n)}/tasks/${rest(n)}`,
  ...(body && { body }),
  target: {},
});

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, Math.max(1000, 2 * tasks));
try {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const statement of SEED) await client.query(statement);
  const { rows } = await client.query<{ project_id: string; item_id: string }>(
    `SELECT DISTINCT ON (t.project_id) t.project_id, c.item_id FROM project_countermeasure t
     JOIN countermeasure c ON c.id = t.countermeasure_id ORDER BY t.project_id, t.id`,
  );
  await client.end();
  const first = new Map(rows.map((row) => [Number(row.project_id), row.item_id]));
  const scenarios = [
    scenario('unpaged list', () => ''),
    scenario('page of 100', () => '?page_size=100'),
    scenario('filtered', () => '?status=TS2&priority__gte=5&ordering=-priority&include=tags&expand=status,phase'),
    scenario('item', (n) => `${first.get(of(n))}/`),
    scenario(
      'status',
      (n) => `${first.get(of(n))}/`,
      (n) => JSON.stringify({ status: `TS${1 + (Math.floor(n / projects) % 2)}` }),
    ),
  ];
  const service = await startService(database);
  try {
    const connections = Number(values.connections);
    console.log(`${projects} projects with ${tasks} countermeasures each, ${connections} connections\n`);
    console.log('request        per s   p50 ms   p99 ms');
    for (const one of scenarios) {
      const measured = await measure(service.target, one, one.path, connections, Number(values.seconds));
      const cells = [measured.perSecond.toFixed(0), measured.p50.toFixed(0), measured.p99.toFixed(0)];
      console.log(`${one.name.padEnd(12)} ${cells.map((cell) => cell.padStart(7)).join('  ')}`);
    }
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
