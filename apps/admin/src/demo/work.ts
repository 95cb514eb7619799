import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { applyAnalysisReport } from '#domain/projects/project-countermeasure/analysis-report.commands.js';
import { updateProjectCountermeasures } from '#domain/projects/project-countermeasure/bulk-change.commands.js';
import { createNote } from '#domain/projects/project-countermeasure/note.commands.js';
import {
  projectCountermeasures,
  publicIdOf,
} from '#domain/projects/project-countermeasure/project-countermeasure.sql.js';
import { FINDINGS, NOT_APPLICABLE, NOTES } from './company.js';

/** The golden ratio spreads its multiples evenly, and looks like chance. */
const GOLDEN_RATIO = 0.618_034;
const spread = (place: number): number => (place * GOLDEN_RATIO) % 1;

/** How many countermeasures that need no work turn out not to be applicable. */
const NOT_APPLICABLE_SHARE = 0.07;
/** How many of those that are complete a scanner can see. */
const SCANNED_SHARE = 0.4;
/** How many points of priority a team prefers an easier countermeasure by. */
const EASE = 5;

interface Work {
  readonly id: string;
  readonly taskId: string;
}

/** The countermeasures of a project in the order in which its team takes them: mostly by priority. */
export async function workOf(em: EntityManager, actor: Actor, project: string): Promise<readonly Work[]> {
  const { rows } = await sql<Work & { priority: number }>`
    SELECT ${publicIdOf('item')} AS id, item.task_id AS "taskId", item.priority
    FROM ${projectCountermeasures(actor.organizationId)} item
    WHERE item.project_id = ${project}::bigint AND item.accepted ORDER BY item.origin, item.number`.execute(
    em.getKysely(),
  );
  return rows
    .map((row, place) => ({ row, rank: row.priority + EASE * spread(place) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ row: { id, taskId } }) => ({ id, taskId }));
}

/** What a team does between two points of a list, which are shares of its length. */
const part = (work: readonly Work[], from: number, to: number): readonly Work[] =>
  work.slice(Math.round(from * work.length), Math.round(to * work.length));

const idsOf = (work: readonly Work[]): string[] => work.map(({ id }) => id);

/** Completes the countermeasures between two points of the list, or finds that they do not apply. */
export async function advance(
  em: EntityManager,
  actor: Actor,
  project: string,
  work: readonly Work[],
  [from, to]: readonly [number, number],
): Promise<void> {
  const taken = part(work, from, to);
  const applies = ({ taskId }: Work): boolean => spread(Number(taskId.replaceAll(/\D/g, ''))) > NOT_APPLICABLE_SHARE;
  const [complete, other] = [taken.filter(applies), taken.filter((one) => !applies(one))];
  const change = (some: readonly Work[], changes: object) =>
    some.length ? updateProjectCountermeasures(em, actor, project, { ids: idsOf(some) }, changes) : Promise.resolve();
  await change(complete, { status: 'TS1' });
  await change(other, { status: 'TS3', status_note: NOT_APPLICABLE });
  const [noted] = complete;
  if (noted)
    await createNote(em, actor, { project, task: noted.id }, NOTES[Math.round(to * 100) % NOTES.length] ?? NOTES[0]);
}

/** Assigns what comes next to people in turn. */
export async function assign(
  em: EntityManager,
  lead: Actor,
  project: string,
  next: readonly Work[],
  emails: readonly string[],
): Promise<void> {
  for (const [place, email] of emails.entries()) {
    const ids = idsOf(next.filter((_, index) => index % emails.length === place));
    if (ids.length) await updateProjectCountermeasures(em, lead, project, { ids }, { assigned_to: [{ email }] });
  }
}

/** Uploads the report of a scanner, which confirms most of what is complete. */
export async function scan(
  em: EntityManager,
  tester: Actor,
  project: string,
  work: readonly Work[],
  { system, upTo }: { readonly system: string; readonly upTo: number },
): Promise<void> {
  const seen = part(work, 0, upTo).filter((_, place) => spread(place) < SCANNED_SHARE);
  const outcomes = seen.map(({ taskId }, place) => {
    const [passed, failed] = place % 7 === 3 ? [0, 2] : place % 7 === 5 ? [3, 1] : [4, 0];
    const finding = FINDINGS[place % FINDINGS.length] ?? FINDINGS[0];
    return {
      tool: system,
      ids: [`rule-${taskId.toLowerCase()}`],
      rules: 1,
      results: passed + failed,
      subjects: [taskId],
      passed,
      failed,
      findings: new Map(failed ? [[finding, failed]] : []),
    };
  });
  const source = `${system.toLowerCase()}.sarif`;
  await applyAnalysisReport(em, tester, project, { system, source, session: `nightly-${project}`, outcomes });
}
