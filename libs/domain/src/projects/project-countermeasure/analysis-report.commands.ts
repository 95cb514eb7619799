import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { visibleVersion } from '../../library/customization/customization.sql.js';
import { projectToChange } from '../project-access/find-project.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { type CountermeasureAnalysisNote, insertAnalysisNotes } from './analysis-note.commands.js';
import type { AnalysisNoteInput } from './note.fields.js';
import { projectCountermeasures, publicIdOf } from './project-countermeasure.sql.js';

/** The results of a report for one countermeasure (`T21`) or weakness (`CWE-79`). */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** The number of occurrences of each finding. */
  readonly findings: ReadonlyMap<string, number>;
}

/** A parsed scan report. */
export interface AnalysisReport {
  /** The name of the tool, as given by the caller. */
  readonly system: string;
  /** The file name of the report. */
  readonly source: string;
  /** The id of the run, which all notes of a report share. */
  readonly session: string;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** A countermeasure, with its status according to the report. */
export interface VerifiedCountermeasure {
  readonly id: string;
  readonly status: AnalysisNoteInput['status'];
}

/** `pass` if all passed, `fail` if all failed, `partial` if some did. Undefined without results. */
function statusOfVerdicts(verdicts: readonly Verdict[]): AnalysisNoteInput['status'] | undefined {
  const passed = verdicts.some((verdict) => verdict.passed > 0);
  const failed = verdicts.some((verdict) => verdict.failed > 0);
  if (passed && failed) return 'partial';
  return failed ? 'fail' : passed ? 'pass' : undefined;
}

const findingsOf = (verdicts: readonly Verdict[]): { desc: string; count: number }[] =>
  verdicts.flatMap(({ findings }) => [...findings].map(([desc, count]) => ({ desc, count })));

/**
 * Updates the verification status of a project's accepted countermeasures from a scan report: those that it lists, and
 * those of weaknesses whose CWEs it lists. It replaces earlier findings. Throws `Forbidden`, and `Invalid` without the
 * project.
 */
export async function applyAnalysisReport(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  { system, source, session, verdicts }: AnalysisReport,
): Promise<VerifiedCountermeasure[]> {
  const project = await projectToChange(em, actor, projectId, 'verification').catch((error: unknown) => {
    throw error instanceof NotFound ? new Invalid({ project: missingMessages(projectId) }) : error;
  });
  const { rows } = await sql<CountermeasureAnalysisNote['countermeasure'] & { cwes: number[] | null }>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.title,
      item.countermeasure_id IS NOT NULL AS "fromLibrary",
      (${visibleVersion('weakness', ['cwes'], sql`item.weakness_id`, actor.organizationId)}) AS cwes
    FROM ${projectCountermeasures(actor.organizationId)} item
    WHERE item.project_id = ${project.id} AND item.accepted ORDER BY item.origin, item.number`.execute(em.getKysely());
  const notes: CountermeasureAnalysisNote[] = [];
  const verified: VerifiedCountermeasure[] = [];
  for (const { cwes, ...countermeasure } of rows) {
    const subjects = [countermeasure.taskId, ...(cwes ?? []).map((cwe) => `CWE-${cwe}`)];
    const matchingVerdicts = subjects.flatMap((subject) => verdicts.get(subject) ?? []);
    const status = statusOfVerdicts(matchingVerdicts);
    if (!status) continue;
    verified.push({ id: countermeasure.id, status });
    const findings = findingsOf(matchingVerdicts);
    notes.push({
      countermeasure,
      input: { status, analysis_session: session, findings, finding_ref: `${system}: ${source}` },
    });
  }
  if (notes.length) await insertAnalysisNotes(em, actor, project, notes);
  return verified;
}
