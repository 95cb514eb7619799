import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import { ProjectCountermeasureAnalysis } from './project-countermeasure-part.entity.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { subjectOf, findCountermeasure, type FoundCountermeasure } from './find-countermeasure.js';
import type { NotePath } from './note.commands.js';
import { VERIFICATIONS } from './project-countermeasure.rules.js';
import type { AnalysisNoteInput, Finding } from './note.fields.js';
import { numericId } from '../../kernel/row-to-change.js';

/**
 * Sets the verification status of countermeasures to the worst one of all systems. Of each system, the notes count
 * since the last one that replaces others; a note without a system, or for all, replaces those of all systems.
 */
async function updateVerificationStatus(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  identities: readonly number[],
): Promise<void> {
  await sql`
    UPDATE project_countermeasure t
      SET updated_at = clock_timestamp(), updated_by = ${authorOf(actor)}, verification_status = coalesce((
      SELECT (${[...VERIFICATIONS]}::text[])[max(array_position(${[...VERIFICATIONS]}::text[], n.status))]
      FROM project_countermeasure_analysis n WHERE n.project_countermeasure_id = t.id AND n.id >= coalesce((
        SELECT max(r.id) FROM project_countermeasure_analysis r
        WHERE r.project_countermeasure_id = t.id AND r.behaviour = 'replace'
          AND (r.replaces_all OR r.system IN ('', n.system))), 0)), 'none')
    WHERE t.id = ANY(${[...identities]}::bigint[])`.execute(em.getKysely());
  await refreshCompliance(em, actor, [project.id]);
}

const withCounts = (findings: readonly Finding[]): Required<Finding>[] =>
  findings.map(({ desc, count = 1 }) => ({ desc, count }));

/** An analysis note and the countermeasure that it belongs to. */
export interface CountermeasureAnalysisNote {
  readonly countermeasure: Pick<FoundCountermeasure, 'identity' | 'id' | 'taskId' | 'title' | 'fromLibrary'>;
  readonly input: AnalysisNoteInput;
  /** The tool whose report it is from; by default, the note is not from a report. */
  readonly system?: string;
  /** Whether it replaces the results of all tools. */
  readonly replacesAll?: boolean;
}

/** Inserts analysis notes; returns their ids. The caller has checked the actor's capabilities. */
export async function insertAnalysisNotes(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  notes: readonly CountermeasureAnalysisNote[],
): Promise<string[]> {
  const values = notes.map(({ countermeasure, input, system = '', replacesAll = false }) => ({
    ...input,
    system,
    replaces_all: replacesAll,
    findings: withCounts(input.findings ?? []),
    task: countermeasure.identity,
  }));
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_countermeasure_analysis
      (project_countermeasure_id, system, status, behaviour, replaces_all, confidence, analysis_session, findings,
        finding_ref, updated_by)
    SELECT n.task, n.system, n.status, coalesce(n.behaviour, 'replace'), n.replaces_all, coalesce(n.confidence, 'high'),
      coalesce(n.analysis_session, ''), n.findings, coalesce(n.finding_ref, ''), ${authorOf(actor)}::bigint
    FROM json_to_recordset(${JSON.stringify(values)}::json) AS n(task bigint, system text, status text,
      behaviour text, replaces_all boolean, confidence text, analysis_session text, findings jsonb,
      finding_ref text) RETURNING id`.execute(em.getKysely());
  await updateVerificationStatus(
    em,
    actor,
    project,
    notes.map(({ countermeasure }) => countermeasure.identity),
  );
  await recordActivity(
    em,
    actor,
    ...notes.map(
      ({ countermeasure }) => ({ subject: 'note', verb: 'Added', ...subjectOf(project, countermeasure) }) as const,
    ),
  );
  return rows.map((row) => row.id);
}

/** Adds an analysis note to a countermeasure; returns the note's id. Throws `NotFound`, `Forbidden`. */
export async function createAnalysisNote(
  em: EntityManager,
  actor: Actor,
  path: NotePath,
  input: AnalysisNoteInput,
): Promise<string> {
  const project = await projectToChange(em, actor, path.project, 'verification');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, path.task);
  const [id = ''] = await insertAnalysisNotes(em, actor, project, [{ countermeasure, input }]);
  return id;
}

/** The result of an analysis as a text, for activities: `fail: 3 × SQL injection`. */
const resultText = ({ status, findings }: { readonly status: string; readonly findings: object }): string =>
  [status, (findings as Required<Finding>[]).map(({ desc, count }) => `${count} × ${desc}`).join(', ')]
    .filter(Boolean)
    .join(': ');

/** Changes an analysis note; the activity keeps the previous result. Throws `NotFound`, `Forbidden`. */
export async function updateAnalysisNote(
  em: EntityManager,
  actor: Actor,
  path: NotePath,
  id: string,
  changes: Partial<AnalysisNoteInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const project = await projectToChange(em, actor, path.project, 'verification');
  const countermeasure = await findCountermeasure(em, actor.organizationId, project, path.task);
  const { findings, analysis_session: session, ...otherChanges } = changes;
  const database = tables(em, ProjectCountermeasureAnalysis);
  const previous = await database
    .selectFrom('project_countermeasure_analysis')
    .select(['status', 'findings'])
    .where('id', '=', numericId(id))
    .where('project_countermeasure_id', '=', countermeasure.identity)
    .forUpdate()
    .executeTakeFirst();
  if (!previous) throw new NotFound();
  await database
    .updateTable('project_countermeasure_analysis')
    .set({
      ...otherChanges,
      ...(session !== undefined && { analysis_session: session ?? '' }),
      ...(findings && { findings: asJson(withCounts(findings)) }),
      updated_at: clockTime,
      updated_by: authorOf(actor),
    })
    .where('id', '=', Number(id))
    .execute();
  await updateVerificationStatus(em, actor, project, [countermeasure.identity]);
  const details = { previous_desc: resultText(previous) };
  await recordActivity(em, actor, { subject: 'note', verb: 'Updated', ...subjectOf(project, countermeasure), details });
}
