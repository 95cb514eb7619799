// A part of `npm run bench -- fairness`: how soon a change of one organization's library reaches its projects, alone and
// while the projects of another organization with the slowest library that the limits allow are recalculated.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type LargeDatabase, TOKEN } from './deployment.ts';
import { settles } from '../support/eventually.ts';
import { ask, type Target } from './load.ts';

const PATIENCE_MILLISECONDS = 120_000;
const COUNTERMEASURES = 250;
const CONDITIONS = 200;
const ANSWERS = 20;
const PROJECTS = 200;

/** Conditions that fail at their last answer, and projects that have all others. */
const SEED = `
  WITH answers AS (SELECT array_agg(id ORDER BY id) AS ids FROM (SELECT id FROM survey_answer ORDER BY id LIMIT 60) a),
  versions AS (SELECT id, number FROM countermeasure_version WHERE organization_id = $1 ORDER BY id LIMIT ${COUNTERMEASURES}),
  conditions AS (
    INSERT INTO match_condition (countermeasure_version_id, item_id, db_id, position, required, excluded)
    SELECT versions.id, 'CMC' || 1000000 + versions.number * 1000 + n, -1000000 - versions.number * 1000 - n, n + 1,
      answers.ids[1 + n % 30 : ${ANSWERS - 1} + n % 30] || answers.ids[60], '{}'
    FROM versions, answers, generate_series(1, ${CONDITIONS}) n),
  applications AS (SELECT id FROM application WHERE organization_id = $1 ORDER BY id LIMIT 1),
  projects AS (
    INSERT INTO project (organization_id, application_id, name, slug, refresh_due_at)
    SELECT $1, applications.id, 'Slow ' || n, 'slow-' || n, now() FROM applications, generate_series(1, ${PROJECTS}) n
    RETURNING id)
  INSERT INTO project_answer SELECT projects.id, unnest(answers.ids[1 : 59]) FROM projects, answers`;

async function newProject(target: Target): Promise<number> {
  const post = (path: string, body: object) => ask<{ id: number }>(target, `/api/v2/${path}/`, { body });
  const unit = await post('business-units', { name: 'Refreshed' });
  const application = await post('applications', { name: 'Refreshed', business_unit: unit.id });
  return (await post('projects', { name: 'Refreshed', application: application.id, profile: null })).id;
}

/** Changes the library; seconds until the project has the new countermeasure. */
async function reach(target: Target, project: number, round: number): Promise<number> {
  const texts = { title: `Refreshed ${round} ${Date.now()}`, text: 'x' };
  const weakness = await ask<{ id: string }>(target, '/api/v2/library/problems/', {
    body: { ...texts, risk_rating: 5 },
  });
  const { id } = await ask<{ id: string }>(target, '/api/v2/library/tasks/', {
    body: { ...texts, problem: weakness.id, priority: 5, phase: 'X3' },
  });
  const begun = performance.now();
  const has = async (): Promise<boolean> =>
    (await ask<{ results: { task_id: string }[] }>(target, `/api/v2/projects/${project}/tasks/`)).results.some(
      (task) => task.task_id === id,
    );
  while (!(await has()) && performance.now() - begun < PATIENCE_MILLISECONDS) await sleep(50);
  return (performance.now() - begun) / 1000;
}

/** Prints how soon changes reach a project of the measured organization. */
export async function measureRefreshes(database: LargeDatabase, measured: Target, rounds = 5): Promise<void> {
  const project = await newProject(measured);
  const times = async (): Promise<number[]> => {
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round += 1) seconds.push(await reach(measured, project, round));
    return seconds;
  };
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const slow: Target = { origin: measured.origin, headers: { authorization: `Token ${TOKEN}` } };
  const pendingOf = async (target: Target): Promise<number> =>
    (await ask<{ pending: number }>(target, '/api/v2/library/refresh-status/')).pending;
  const isSettled = async (): Promise<boolean> => (await pendingOf(slow)) + (await pendingOf(measured)) === 0;
  try {
    if (!(await settles(isSettled, PATIENCE_MILLISECONDS / 1000))) throw new Error('The projects were not updated.');
    const alone = await times();
    await client.query(SEED, [database.organization]);
    const begun = performance.now();
    const loaded = await times();
    const left = await pendingOf(slow);
    console.log(
      `\nLibrary changes reach a project within ${Math.max(...alone).toFixed(1)} s alone, and within ` +
        `${Math.max(...loaded).toFixed(1)} s while another organization recalculates ${PROJECTS} projects with ` +
        `${COUNTERMEASURES * CONDITIONS} conditions of ${ANSWERS} answers (target: 5 s).\n` +
        `After ${((performance.now() - begun) / 1000).toFixed(0)} s, ${left} of its projects were left.`,
    );
  } finally {
    await client.end();
  }
}
