import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import { ProjectCountermeasureAnalysis } from './project-countermeasure-part.entity.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshCompliance } from '../risk-policy/risk-policy-compliance.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { aboutCountermeasure, findCountermeasure, type FoundCountermeasure } from './find-countermeasure.js';
import type { NotePlace } from './note.commands.js';
import { VERIFICATIONS } from './project-countermeasure.rules.js';
import type { AnalysisNoteInput, Finding } from './note.fields.js';

/**
 * Lets the verification of countermeasures follow from what was found: the last note that takes the place of others,
 * and those after it that are combined with it; of these the worst.
 */
async function follow(
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
        WHERE r.project_countermeasure_id = t.id AND r.behaviour = 'replace'), 0)), 'none')
    WHERE t.id = ANY(${[...identities]}::bigint[])`.execute(em.getKysely());
  await refreshCompliance(em, actor.organizationId, [project.id]);
}

const counted = (findings: readonly Finding[]): Required<Finding>[] =>
  findings.map(({ desc, count = 1 }) => ({ desc, count }));

/** One note of many countermeasures at once. */
export interface AnalysisNoteOf {
  readonly of: Pick<FoundCountermeasure, 'identity' | 'id' | 'taskId' | 'title' | 'fromLibrary'>;
  readonly input: AnalysisNoteInput;
}

/** Writes what was found; returns the ids. The caller has checked that the actor may. */
export async function insertAnalysisNotes(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  notes: readonly AnalysisNoteOf[],
): Promise<string[]> {
  const values = notes.map(({ of, input }) => ({
    ...input,
    findings: counted(input.findings ?? []),
    task: of.identity,
  }));
  const { rows } = await sql<{ id: string }>`
    INSERT INTO project_countermeasure_analysis
      (project_countermeasure_id, status, behaviour, confidence, analysis_session, findings, finding_ref, updated_by)
    SELECT n.task, n.status, coalesce(n.behaviour, 'replace'), coalesce(n.confidence, 'high'),
      coalesce(n.analysis_session, ''), n.findings, coalesce(n.finding_ref, ''), ${authorOf(actor)}::bigint
    FROM json_to_recordset(${JSON.stringify(values)}::json) AS n(task bigint, status text, behaviour text,
      confidence text,
      analysis_session text, findings jsonb, finding_ref text) RETURNING id`.execute(em.getKysely());
  await follow(
    em,
    actor,
    project,
    notes.map(({ of }) => of.identity),
  );
  await recordActivity(
    em,
    actor,
    ...notes.map(({ of }) => ({ subject: 'note', verb: 'Added', ...aboutCountermeasure(project, of) }) as const),
  );
  return rows.map((row) => row.id);
}

/** Writes what an analysis has found of a countermeasure; returns the note's id. Throws `NotFound`, `Forbidden`. */
export async function createAnalysisNote(
  em: EntityManager,
  actor: Actor,
  place: NotePlace,
  input: AnalysisNoteInput,
): Promise<string> {
  const project = await projectToChange(em, actor, place.project, 'verification');
  const of = await findCountermeasure(em, actor.organizationId, project, place.task);
  const [id = ''] = await insertAnalysisNotes(em, actor, project, [{ of, input }]);
  return id;
}

/** Changes what an analysis has found. Throws `NotFound`, `Forbidden`. */
export async function updateAnalysisNote(
  em: EntityManager,
  actor: Actor,
  place: NotePlace,
  id: string,
  changes: Partial<AnalysisNoteInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const project = await projectToChange(em, actor, place.project, 'verification');
  const found = await findCountermeasure(em, actor.organizationId, project, place.task);
  const { findings, analysis_session: session, ...plain } = changes;
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { numUpdatedRows } = await tables(em, ProjectCountermeasureAnalysis)
    .updateTable('project_countermeasure_analysis')
    .set({
      ...plain,
      ...(session !== undefined && { analysis_session: session ?? '' }),
      ...(findings && { findings: asJson(counted(findings)) }),
      updated_at: clockTime,
      updated_by: authorOf(actor),
    })
    .where('id', '=', Number(id))
    .where('project_countermeasure_id', '=', found.identity)
    .executeTakeFirstOrThrow();
  if (!numUpdatedRows) throw new NotFound();
  await follow(em, actor, project, [found.identity]);
  await recordActivity(em, actor, { subject: 'note', verb: 'Updated', ...aboutCountermeasure(project, found) });
}
