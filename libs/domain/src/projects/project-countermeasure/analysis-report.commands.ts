import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { visibleVersion } from '../../library/customization/customization.sql.js';
import { DEFAULT_MAX_ENTRIES } from '../../kernel/fields/fields.js';
import { mappedRules } from '../../library/rule-mapping/mapped-rules.js';
import { projectToChange } from '../project-access/find-project.js';
import { Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { type CountermeasureAnalysisNote, insertAnalysisNotes } from './analysis-note.commands.js';
import { MAX_LISTED_RULES, type RuleOutcome } from './analysis-report.rules.js';
import { followVerification, type VerificationStatus } from './follow-verification.js';
import type { Merge } from './project-countermeasure.rules.js';
import type { AnalysisNoteInput } from './note.fields.js';
import { VERIFICATIONS } from './project-countermeasure.rules.js';
import { projectCountermeasures, publicIdOf } from './project-countermeasure.sql.js';

type Status = AnalysisNoteInput['status'];

/** A parsed scan report. */
export interface AnalysisReport {
  /** The name of the tool, as given by the caller. */
  readonly system: string;
  /** The file name of the report. */
  readonly source: string;
  /** The id of the run, which all notes of a report share. */
  readonly session: string;
  readonly outcomes: readonly RuleOutcome[];
  /** Which earlier results it replaces; by default, those of the same system. */
  readonly merge?: Merge;
  /** Whether changed results change the status of countermeasures. */
  readonly updatesStatus?: boolean;
}

/** A countermeasure, with its status according to the report. */
export interface VerifiedCountermeasure {
  readonly id: string;
  readonly status: Status;
}

type ReportedCountermeasure = CountermeasureAnalysisNote['countermeasure'] & {
  readonly weakness: number | null;
  readonly cwes: number[] | null;
  /** The verification status before the report. */
  readonly verification: VerificationStatus;
};

/** How many rules and results refer to countermeasures of the project, and which rules do not. */
export interface ReportCoverage {
  readonly results: { matched: number; unmatched: number };
  readonly rules: { matched: number; unmatched: number };
  /** The first unmatched rules, up to `MAX_LISTED_RULES`. */
  readonly unmatchedRules: readonly string[];
}

/** `pass` if all passed, `fail` if all failed, `partial` if some did. Undefined without a verdict. */
function statusOfTool(outcomes: readonly RuleOutcome[]): Status | undefined {
  const passed = outcomes.some((outcome) => outcome.passed > 0);
  const failed = outcomes.some((outcome) => outcome.failed > 0);
  if (passed && failed) return 'partial';
  return failed ? 'fail' : passed ? 'pass' : undefined;
}

/** The worst status of the tools in a report. */
function worstStatus(outcomes: readonly RuleOutcome[]): Status | undefined {
  const statuses = [...Map.groupBy(outcomes, ({ tool }) => tool).values()].map(statusOfTool);
  return VERIFICATIONS.findLast((status) => statuses.includes(status));
}

/** Merges the findings of rules, up to the number that a note can have. */
function findingsOf(outcomes: readonly RuleOutcome[]): { desc: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { findings } of outcomes)
    for (const [desc, count] of findings)
      if (counts.has(desc) || counts.size < DEFAULT_MAX_ENTRIES) counts.set(desc, (counts.get(desc) ?? 0) + count);
  return [...counts].map(([desc, count]) => ({ desc, count }));
}

function coverageOf(outcomes: readonly RuleOutcome[], matched: ReadonlySet<RuleOutcome>): ReportCoverage {
  const results = { matched: 0, unmatched: 0 };
  const rules = { matched: 0, unmatched: 0 };
  const unmatchedRules = new Set<string>();
  for (const outcome of outcomes) {
    const side = matched.has(outcome) ? 'matched' : 'unmatched';
    results[side] += outcome.results;
    rules[side] += outcome.rules;
    if (side === 'matched') continue;
    for (const id of outcome.ids) if (unmatchedRules.size < MAX_LISTED_RULES) unmatchedRules.add(id);
  }
  return { results, rules, unmatchedRules: [...unmatchedRules] };
}

/** Outcomes by what they refer to: countermeasures, CWEs, and weaknesses to which rules are mapped. */
async function bySubject(
  em: EntityManager,
  actor: Actor,
  system: string,
  outcomes: readonly RuleOutcome[],
): Promise<Map<string, RuleOutcome[]>> {
  const grouped = new Map<string, RuleOutcome[]>();
  const add = (subject: string, outcome: RuleOutcome): void => {
    const present = grouped.get(subject);
    if (present) present.push(outcome);
    else grouped.set(subject, [outcome]);
  };
  for (const outcome of outcomes) for (const subject of new Set(outcome.subjects)) add(subject, outcome);
  // Tests have no tool, and mappings are about rules.
  const ofTools = outcomes.filter(({ tool }) => tool !== '');
  const mapped = await mappedRules(
    em,
    actor,
    system,
    ofTools.map(({ tool, ids: [id = ''] }) => ({ tool, rule: id })),
  );
  for (const { place, cwe, weakness } of mapped) {
    const outcome = ofTools[place];
    const subject = cwe === null ? weaknessSubject(weakness) : `CWE-${cwe}`;
    if (outcome && !outcome.subjects.includes(subject)) add(subject, outcome);
  }
  return grouped;
}

const weaknessSubject = (identity: number | null): string => `weakness ${identity ?? ''}`;

/**
 * Updates the verification status of a project's accepted countermeasures from a scan report: those that it lists, and
 * those of weaknesses whose CWEs it lists, or to which the organization maps its rules. It replaces earlier results of
 * the same system, unless it says otherwise. Countermeasures without a verdict keep their status. Throws `Forbidden`,
 * and `Invalid` without the project.
 */
export async function applyAnalysisReport(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  { system, source, session, outcomes, merge = 'replace_same_tool', updatesStatus = false }: AnalysisReport,
): Promise<ReportCoverage & { readonly verified: readonly VerifiedCountermeasure[] }> {
  const project = await projectToChange(em, actor, projectId, 'verification').catch((error: unknown) => {
    throw error instanceof NotFound ? new Invalid({ project: missingMessages(projectId) }) : error;
  });
  const subjects = await bySubject(em, actor, system, outcomes);
  const { rows } = await sql<ReportedCountermeasure>`
    SELECT item.id AS identity, ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.title,
      item.countermeasure_id IS NOT NULL AS "fromLibrary", item.weakness_id AS weakness,
      item.verification_status AS verification,
      (${visibleVersion('weakness', ['cwes'], sql`item.weakness_id`, actor.organizationId)}) AS cwes
    FROM ${projectCountermeasures(actor.organizationId)} item
    WHERE item.project_id = ${project.id} AND item.accepted ORDER BY item.origin, item.number`.execute(em.getKysely());
  const notes: CountermeasureAnalysisNote[] = [];
  const verified: VerifiedCountermeasure[] = [];
  const matched = new Set<RuleOutcome>();
  for (const { cwes, weakness, verification: _verification, ...countermeasure } of rows) {
    const names = [countermeasure.taskId, weaknessSubject(weakness), ...(cwes ?? []).map((cwe) => `CWE-${cwe}`)];
    const matching = [...new Set(names.flatMap((name) => subjects.get(name) ?? []))];
    for (const outcome of matching) matched.add(outcome);
    const status = worstStatus(matching);
    if (!status) continue;
    verified.push({ id: countermeasure.id, status });
    const findings = findingsOf(matching);
    notes.push({
      countermeasure,
      system,
      replacesAll: merge === 'replace',
      input: {
        status,
        behaviour: merge === 'combine' ? 'combine' : 'replace',
        analysis_session: session,
        findings,
        finding_ref: `${system}: ${source}`,
      },
    });
  }
  if (notes.length) await insertAnalysisNotes(em, actor, project, notes);
  if (updatesStatus)
    await followVerification(em, actor, project, new Map(rows.map((row) => [row.identity, row.verification])), system);
  return { verified, ...coverageOf(outcomes, matched) };
}
