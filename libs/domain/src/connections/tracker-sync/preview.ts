import type { EntityManager } from '@mikro-orm/postgresql';
import type { TrackerIssue, TrackerProject } from '#trackers/issue.js';
import { inTransaction } from '../../kernel/transaction.js';
import type { Wanted } from '../tracked-issue/compare.js';
import { seenIssue, shortened, wantedIssue } from '../tracked-issue/issue-text.js';
import { planStep, type Step, type TrackedRow } from '../tracked-issue/plan.js';
import { changesSince } from './changed-issues.js';
import { nextEntries, orphans, type SyncedConnection, syncActor } from './sync-items.js';

/** What a run would do about one countermeasure. */
interface PreviewEntry {
  /** For example, `1-T2`; null if the countermeasure was deleted. */
  readonly task: string | null;
  readonly title: string;
  /** The key of the issue; null if there is none yet. */
  readonly issue: string | null;
  /** What would be written: `title`, `text`, `priority` and `status` of the issue, `task_status` in Merlon. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a run would do. */
export interface Preview {
  readonly create: readonly PreviewEntry[];
  readonly change: readonly PreviewEntry[];
  readonly close: readonly PreviewEntry[];
  readonly conflict: readonly PreviewEntry[];
}

type Lists = { -readonly [Name in keyof Preview]: PreviewEntry[] };

const MAX_SHOWN_TEXT = 200;

const createdFields = ({ priority }: Wanted): Record<string, string> => (priority === null ? {} : { priority });

/** Adds what a step would do to the lists. */
function add(lists: Lists, step: Step, task: string | null, title: string, wanted: Wanted | undefined): void {
  if (step.step === 'nothing') return;
  if (step.step === 'create' || step.step === 'resume') {
    if (wanted) lists.create.push({ task, title, issue: null, fields: createdFields(wanted) });
    return;
  }
  const entry = { task, title, issue: step.row.issueKey };
  if (step.step === 'release') {
    if (step.status !== undefined) lists.close.push({ ...entry, fields: { status: step.status } });
    return;
  }
  const { change, mark, conflict } = step.comparison;
  const fields = {
    ...change,
    ...(change.text !== undefined && { text: shortened(change.text, MAX_SHOWN_TEXT) }),
    ...(mark !== undefined && { task_status: mark }),
  };
  if (Object.keys(fields).length) lists[conflict ? 'conflict' : 'change'].push({ ...entry, fields });
}

/** Finds out what a run would create, change and close, and which statuses both sides have changed. It only reads. */
export async function previewRun(
  em: EntityManager,
  connection: SyncedConnection,
  tracker: TrackerProject,
  origin: string,
): Promise<Preview> {
  const latest = new Map<string, TrackerIssue>();
  if (connection.cursor !== null)
    for await (const issues of changesSince(tracker, connection.cursor))
      for (const issue of issues) latest.set(issue.id, issue);
  const current = (row: TrackedRow): TrackedRow => {
    const issue = latest.get(row.issueId ?? '');
    return issue ? { ...row, issueKey: issue.key, seen: seenIssue(issue) } : row;
  };
  const lists: Lists = { create: [], change: [], close: [], conflict: [] };
  const actor = await inTransaction(em, connection, (reading) => syncActor(reading, connection.organizationId));
  for (let position = 0; ;) {
    const after = position;
    const entries = await inTransaction(em, connection, (reading) => nextEntries(reading, connection, actor, after));
    if (!entries.length) break;
    for (const { row, ...entry } of entries) {
      const wanted = entry.inScope ? wantedIssue(entry, connection, origin) : undefined;
      add(lists, planStep(wanted, row ? current(row) : undefined, connection), entry.id, entry.title, wanted);
      position = entry.identity;
    }
  }
  for (const row of await inTransaction(em, connection, (reading) => orphans(reading, connection.id)))
    add(lists, planStep(undefined, current(row), connection), null, row.seen?.title ?? '', undefined);
  return lists;
}
