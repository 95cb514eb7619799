import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { visibleVersion } from '../../library/customization/customization.sql.js';
import { projectToChange } from '../project-access/find-project.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { type AnalysisNoteOf, insertAnalysisNotes } from './analysis-note.commands.js';
import type { AnalysisNoteInput } from './note.fields.js';
import { projectCountermeasures, publicIdOf } from './project-countermeasure.sql.js';

/** What a report says about one countermeasure (`T21`) or weakness (`CWE-79`). */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** What was found, each with how often. */
  readonly findings: ReadonlyMap<string, number>;
}

/** A report of a tool, as it was read. */
export interface AnalysisReport {
  /** The tool, as the caller calls it. */
  readonly system: string;
  /** Where the report comes from: the name of its file. */
  readonly source: string;
  /** The run: notes of one report share it. */
  readonly session: string;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** What came of a countermeasure. */
export interface Verified {
  readonly id: string;
  readonly status: AnalysisNoteInput['status'];
}

/** All passed: pass; all failed: fail; some of either: partial. Undefined where nothing was said. */
function statusOfVerdicts(verdicts: readonly Verdict[]): AnalysisNoteInput['status'] | undefined {
  const passed = verdicts.some((verdict) => verdict.passed > 0);
  const failed = verdicts.some((verdict) => verdict.failed > 0);
  if (passed && failed) return 'partial';
  return failed ? 'fail' : passed ? 'pass' : undefined;
}

const findingsOf = (verdicts: readonly Verdict[]): { desc: string; count: number }[] =>
  verdicts.flatMap(({ findings }) => [...findings].map(([desc, count]) => ({ desc, count })));

/**
 * Lets the accepted countermeasures of a project follow a report: those that it names, and those of weaknesses whose
 * CWEs it names. What it finds takes the place of what was found before. Throws `Forbidden`, and `Invalid` where the
 * actor sees no such project.
 */
export async function applyAnalysisReport(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  { system, source, session, verdicts }: AnalysisReport,
): Promise<Verified[]> {
  const project = await projectToChange(em, actor, projectId, 'verification').catch((error: unknown) => {
    throw error instanceof NotFound ? new Invalid({ project: missingMessages(projectId) }) : error;
  });
  const { rows } = await sql<AnalysisNoteOf['of'] & { cwes: number[] | null }>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.title,
      item.countermeasure_id IS NOT NULL AS "fromLibrary",
      (${visibleVersion('weakness', ['cwes'], sql`item.weakness_id`, actor.organizationId)}) AS cwes
    FROM ${projectCountermeasures(actor.organizationId)} item
    WHERE item.project_id = ${project.id} AND item.accepted ORDER BY item.origin, item.number`.execute(em.getKysely());
  const notes: AnalysisNoteOf[] = [];
  const verified: Verified[] = [];
  for (const { cwes, ...of } of rows) {
    const subjects = [of.taskId, ...(cwes ?? []).map((cwe) => `CWE-${cwe}`)];
    const about = subjects.flatMap((subject) => verdicts.get(subject) ?? []);
    const status = statusOfVerdicts(about);
    if (!status) continue;
    verified.push({ id: of.id, status });
    const findings = findingsOf(about);
    notes.push({ of, input: { status, analysis_session: session, findings, finding_ref: `${system}: ${source}` } });
  }
  if (notes.length) await insertAnalysisNotes(em, actor, project, notes);
  return verified;
}
