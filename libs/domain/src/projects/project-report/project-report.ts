import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isoTime, jsonList, jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import { userObject } from '../../access/user/user-reference.js';
import type { Actor } from '../../kernel/actor.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { projectToRead } from '../project-access/find-project.js';
import type { IdAndName } from '../hierarchy/located-projects.js';
import { savedAnswers } from '../project-content/content.sql.js';
import { projectCountermeasures, publicIdOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { type ProjectCoverage, projectCoverage } from '../regulation-coverage/project-coverage.js';

/** Limits of a report, which bound its size. The latest notes and analyses are kept. */
export const REPORT_LIMITS = {
  countermeasures: 2000,
  notes: 1000,
  evidence: 1000,
  findings: 20,
  assignees: 20,
} as const;

/** The longest texts in characters. */
const MAX_REPORT_TEXT = 2000;
const MAX_FINDING_TEXT = 200;

interface IdAndText {
  readonly id: string;
  readonly text: string;
}

interface Person {
  readonly id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

export interface ReportNote {
  readonly text: string;
  readonly author: Person | null;
  readonly created: string;
}

export interface ReportEvidence {
  readonly status: string;
  readonly system: string;
  readonly findings: readonly { readonly desc: string; readonly count: number }[];
  readonly finding_ref: string;
  readonly created: string;
}

export interface ReportCountermeasure {
  readonly id: string;
  readonly title: string;
  readonly priority: number;
  readonly phase: string;
  readonly status: { readonly id: string; readonly name: string };
  readonly verification_status: string;
  readonly assigned_to: readonly Person[];
  readonly notes: readonly ReportNote[];
  readonly evidence: readonly ReportEvidence[];
}

export interface ProjectReport {
  readonly generated_at: string;
  readonly project: IdAndName & {
    readonly description: string;
    readonly application: IdAndName;
    readonly business_unit: IdAndName;
    readonly survey_complete: boolean;
    readonly risk_policy_compliant: boolean | null;
  };
  readonly counts: {
    readonly relevant: number;
    readonly complete: number;
    readonly not_applicable: number;
    readonly open: number;
  };
  readonly answers: readonly { readonly question: IdAndText; readonly answers: readonly IdAndText[] }[];
  readonly countermeasures: readonly ReportCountermeasure[];
  readonly coverage: readonly ProjectCoverage[];
  readonly omitted: { readonly countermeasures: number; readonly notes: number; readonly evidence: number };
}

const shortened = (text: Sql, longest: number = MAX_REPORT_TEXT): Sql =>
  sql`CASE WHEN length(${text}) > ${sql.lit(longest)}
    THEN left(${text}, ${sql.lit(longest - 1)}) || '…' ELSE ${text} END`;

const named = (alias: string): Sql => jsonObject({ id: sql.ref(`${alias}.id`), name: sql.ref(`${alias}.name`) });

const project = jsonObject({
  id: sql`p.id`,
  name: sql`p.name`,
  description: shortened(sql`p.description`),
  application: named('a'),
  business_unit: named('b'),
  survey_complete: sql`p.survey_complete`,
  risk_policy_compliant: sql`p.risk_policy_compliant`,
});

const countOf = (condition: Sql): Sql => sql`(SELECT count(*) FROM task WHERE ${condition})`;

const counts = jsonObject({
  relevant: countOf(sql`true`),
  complete: countOf(sql`status_id = 1`),
  not_applicable: countOf(sql`status_id = 3`),
  open: countOf(sql`status_id = 2`),
});

/** The questions that the saved answers belong to, in the order of the survey. */
const answers = jsonList(sql`
  SELECT ${jsonObject({
    question: jsonObject({ id: sql`q.item_id`, text: shortened(sql`q.text`) }),
    answers: jsonList(sql`SELECT ${jsonObject({ id: sql`s.item_id`, text: shortened(sql`s.text`) })} AS entry
      FROM saved s WHERE s.question_id = q.id ORDER BY s.ordinal, s.id`),
  })} AS entry
  FROM survey_question q JOIN survey_subsection part ON part.id = q.subsection_id
    JOIN survey_section section ON section.id = part.section_id
  WHERE q.id IN (SELECT question_id FROM saved)
  ORDER BY section.ordinal, section.id, part.ordinal, part.id, q.ordinal, q.id`);

const notes = jsonList(sql`
  SELECT ${jsonObject({
    text: shortened(sql`n.text`),
    author: userObject(sql`n.author_id`),
    created: isoTime(sql`n.created_at`),
  })} AS entry FROM note n WHERE n.project_countermeasure_id = t.id ORDER BY n.id DESC`);

const findings = jsonList(sql`
  SELECT ${jsonObject({
    desc: shortened(sql`f.value ->> 'desc'`, MAX_FINDING_TEXT),
    count: sql`f.value -> 'count'`,
  })} AS entry
  FROM jsonb_array_elements(n.findings) WITH ORDINALITY f(value, place)
  WHERE f.place <= ${sql.lit(REPORT_LIMITS.findings)} ORDER BY f.place`);

const evidence = jsonList(sql`
  SELECT ${jsonObject({
    status: sql`n.status`,
    system: sql`n.system`,
    findings,
    finding_ref: shortened(sql`n.finding_ref`),
    created: isoTime(sql`n.created_at`),
  })} AS entry FROM analysis n WHERE n.project_countermeasure_id = t.id ORDER BY n.id DESC`);

const assignees = jsonList(sql`
  SELECT ${userObject(sql`a.user_id`)} AS entry FROM project_countermeasure_assignee a
  WHERE a.project_countermeasure_id = t.id ORDER BY a.user_id LIMIT ${sql.lit(REPORT_LIMITS.assignees)}`);

const countermeasures = jsonList(sql`
  SELECT ${jsonObject({
    id: publicIdOf('t'),
    title: sql`t.title`,
    priority: sql`t.priority`,
    phase: sql`(SELECT f.name FROM phase f WHERE f.id = t.phase_id)`,
    status: sql`(SELECT ${jsonObject({ id: sql`s.item_id`, name: sql`s.name` })} FROM task_status s
      WHERE s.id = t.status_id)`,
    verification_status: sql`t.verification_status`,
    assigned_to: assignees,
    notes,
    evidence,
  })} AS entry FROM listed t ORDER BY t.priority DESC, t.origin, t.number`);

/** The rows of a table of parts that are listed: the latest ones. */
const latest = (table: string, limit: number): Sql => sql`(
  SELECT * FROM ${sql.table(table)} WHERE project_countermeasure_id IN (SELECT id FROM listed)
  ORDER BY id DESC LIMIT ${sql.lit(limit)})`;

const omittedParts = (table: string, listed: string): Sql => sql`(
  (SELECT count(*) FROM ${sql.table(table)} WHERE project_countermeasure_id IN (SELECT id FROM task))
  - (SELECT count(*) FROM ${sql.table(listed)}))`;

const omitted = jsonObject({
  countermeasures: sql`(SELECT count(*) FROM task) - (SELECT count(*) FROM listed)`,
  notes: omittedParts('project_countermeasure_note', 'note'),
  evidence: omittedParts('project_countermeasure_analysis', 'analysis'),
});

/**
 * A project as a document: its answers, its accepted and relevant countermeasures with notes and evidence, and how far
 * it covers regulations. Throws `NotFound` if the actor cannot see the project.
 */
export async function readProjectReport(em: EntityManager, actor: Actor, projectId: string): Promise<ProjectReport> {
  const { id } = await projectToRead(em, actor, projectId);
  const { rows } = await sql<Omit<ProjectReport, 'coverage'>>`
    WITH task AS MATERIALIZED (SELECT t.* FROM ${projectCountermeasures(actor.organizationId)} t
      WHERE t.project_id = ${id} AND t.accepted AND t.relevant),
    listed AS MATERIALIZED (SELECT * FROM task ORDER BY priority DESC, origin, number
      LIMIT ${sql.lit(REPORT_LIMITS.countermeasures)}),
    note AS MATERIALIZED ${latest('project_countermeasure_note', REPORT_LIMITS.notes)},
    analysis AS MATERIALIZED ${latest('project_countermeasure_analysis', REPORT_LIMITS.evidence)},
    saved AS MATERIALIZED (SELECT * FROM ${savedAnswers(sql`${id}::bigint`)} s)
    SELECT ${isoTime(sql`now()`)} AS generated_at, ${project} AS project, ${counts} AS counts, ${answers} AS answers,
      ${countermeasures} AS countermeasures, ${omitted} AS omitted
    FROM project p JOIN application a ON a.id = p.application_id JOIN business_unit b ON b.id = a.business_unit_id
    WHERE p.id = ${id}`.execute(em.getKysely());
  const [report] = rows;
  if (!report) throw new NotFound();
  const { omitted: leftOut, ...parts } = report;
  return { ...parts, coverage: await projectCoverage(em, actor, id), omitted: leftOut };
}
