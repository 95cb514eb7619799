// `npm run bench -- projects [--projects N]`: how long it takes to compute the content of projects, in a library of
// 2,000 countermeasures with 5,000 conditions and with 200 answers: for one project, and for many after a change of the
// library. Also measures creating a project with its survey, and saving a draft.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { migrate } from '#domain/migrations/migrate.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { createProject } from '#domain/projects/project/project.commands.js';
import { matching } from '#domain/projects/project-content/content.sql.js';
import { refreshProjects } from '#domain/projects/project-content/refresh-project.js';
import { saveDraft } from '#domain/projects/project-survey/project-survey.commands.js';
import { selectAnswer } from '#domain/projects/project-survey/survey-draft.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { ormOptions } from '#orm';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.js';
import { superuserUrl } from '../../support/superuser.ts';
import { middle } from '../load.ts';

const { values } = parseArgs({
  options: { projects: { type: 'string', default: '100' }, rounds: { type: 'string', default: '20' } },
});
const projectCount = Number(values.projects);
const rounds = Number(values.rounds);
const BATCH = 20;

/** 400 answers, 300 weaknesses, 2,000 countermeasures of which each has two or three conditions, and projects. */
const SEED = [
  `INSERT INTO organization (name) VALUES ('Bench')`,
  `INSERT INTO survey_section (number, title, ordinal) VALUES (1, 'S', 1)`,
  `INSERT INTO survey_subsection (number, section_id, title, ordinal) SELECT 1, id, 'SS', 1 FROM survey_section`,
  `INSERT INTO survey_question (number, subsection_id, text, format, ordinal) SELECT 1, id, 'Q', 'MC', 1
    FROM survey_subsection`,
  `INSERT INTO survey_answer (number, question_id, text, ordinal) SELECT n, q.id, 'A', n
    FROM survey_question q, generate_series(1, 400) n`,
  `INSERT INTO phase (number, name, slug, ordinal) VALUES (1, 'Phase', 'phase', 1)`,
  `WITH made AS (INSERT INTO weakness (number) SELECT generate_series(1, 300) RETURNING id, number)
   INSERT INTO weakness_version (weakness_id, is_custom, number, title, text, risk_rating)
   SELECT id, false, number, 'Weakness ' || number, 'x', 5 FROM made`,
  `WITH made AS (INSERT INTO countermeasure (number) SELECT generate_series(1, 2000) RETURNING id, number)
   INSERT INTO countermeasure_version (countermeasure_id, is_custom, number, title, text, weakness_id, phase_id,
     priority)
   SELECT made.id, false, made.number, 'Countermeasure ' || made.number, repeat('Check every input. ', 40), w.id,
     phase.id, 5
   FROM made JOIN weakness w ON w.number = 1 + made.number % 300, phase`,
  `INSERT INTO match_condition (countermeasure_version_id, item_id, db_id, position, required, excluded)
   SELECT v.id, 'MC' || (v.number * 3 + n), v.number * 3 + n, n,
     ARRAY(SELECT id FROM survey_answer
       WHERE number IN (1 + (v.number * 7 + n * 31) % 400, 1 + (v.number * 13 + n * 17) % 400)),
     ARRAY(SELECT id FROM survey_answer WHERE number = 1 + (v.number * 11 + n * 5) % 400)
   FROM countermeasure_version v, generate_series(1, 3) n WHERE n < 3 OR v.number % 2 = 0`,
  `INSERT INTO business_unit (organization_id, name, slug) SELECT id, 'Unit', 'unit' FROM organization`,
  `INSERT INTO application (organization_id, business_unit_id, name, slug) SELECT organization_id, id, 'App', 'app'
    FROM business_unit`,
  `INSERT INTO project (organization_id, application_id, name, slug)
   SELECT organization_id, a.id, 'Project ' || n, 'p' || n FROM application a, generate_series(1, ${projectCount}) n`,
  `INSERT INTO project_answer SELECT p.id, a.id FROM project p
    JOIN survey_answer a ON (a.number * 7919 + a.number / 3 + p.id * 31) % 4 < 2`,
  `INSERT INTO user_account (organization_id, email, first_name, last_name, role_id)
   SELECT o.id, 'ada@example.com', 'Ada', 'Admin', r.id FROM organization o, global_role r WHERE r.item_id = 'UR1'`,
  `INSERT INTO profile (number, name, is_default, answers)
   SELECT 1, 'Profile', true, array_agg(id) FROM survey_answer WHERE number % 2 = 0`,
  'ANALYZE',
];

const cell = (figures: readonly number[]): string => middle(figures).toFixed(1).padStart(9);

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const directory = path.join(folder, 'postgres');
const postgres = await startEmbeddedPostgres({ directory });
const url = await superuserUrl(directory, postgres);
const orm = await MikroORM.init(ormOptions({ url, poolSize: 4, timeZone: 'UTC' }));
try {
  await migrate(orm);
  for (const statement of SEED) await orm.em.fork().execute(statement);
  const projects = (
    await sql<{ id: string }>`SELECT id FROM project ORDER BY id`.execute(orm.em.fork().getKysely())
  ).rows.map((row) => Number(row.id));
  const timed = async (ids: readonly number[]): Promise<number> => {
    const begun = performance.now();
    await inTransaction(orm.em, { organizationId: 1 }, (em) => refreshProjects(em, null, ids));
    return performance.now() - begun;
  };
  const batches = (ids: readonly number[]): number[][] =>
    Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) => ids.slice(n * BATCH, (n + 1) * BATCH));
  const all = async (): Promise<number> => {
    const begun = performance.now();
    for (const batch of batches(projects)) await timed(batch);
    return performance.now() - begun;
  };

  const scope = { organizationId: 1, projects: projects.slice(0, 1), byAttributes: false };
  const matched: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await sql`WITH ${matching('countermeasure', scope)} SELECT project_id, id FROM matched`.execute(
      orm.em.fork().getKysely(),
    );
    matched.push(performance.now() - begun);
  }

  const first: number[] = [];
  for (const id of projects.slice(0, rounds)) first.push(await timed([id]));
  const unchanged: number[] = [];
  for (let round = 0; round < rounds; round += 1) unchanged.push(await timed([projects[0] ?? 0]));
  const answered: number[] = [];
  for (const id of projects.slice(0, rounds)) {
    await orm.em.fork().execute(`DELETE FROM project_answer WHERE project_id = ${id} AND answer_id % 40 < 2`);
    answered.push(await timed([id]));
  }
  const actor = { ...operatorOf(1), id: 1 };
  const creationTimes: number[] = [];
  const saved: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const id = await inTransaction(orm.em, actor, (em) =>
      createProject(em, actor, { name: `Made ${round}`, application: 1 }),
    );
    creationTimes.push(performance.now() - begun);
    await inTransaction(orm.em, actor, (em) => selectAnswer(em, actor, id, 'A1', true));
    const saving = performance.now();
    await inTransaction(orm.em, actor, (em) => saveDraft(em, actor, id));
    saved.push(performance.now() - saving);
  }
  console.log(`matching conditions            ${cell(matched)} ms (target: below 50)`);
  console.log(`creating a project with survey ${cell(creationTimes)} ms`);
  console.log(`saving a draft                 ${cell(saved)} ms`);
  console.log(`one project, first time        ${cell(first)} ms`);
  console.log(`one project, nothing changed   ${cell(unchanged)} ms`);
  console.log(`one project, 10 fewer answers  ${cell(answered)} ms`);
  console.log(`${projectCount} projects, first time      ${cell([await all()])} ms`);
  console.log(`${projectCount} projects, nothing changed ${cell([await all()])} ms`);
} finally {
  await orm.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
