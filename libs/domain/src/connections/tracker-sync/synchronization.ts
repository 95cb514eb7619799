import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import {
  type IssueChange,
  type TrackerIssue,
  type TrackerMetadata,
  type TrackerProject,
  TrackerBusy,
  TrackerRefusal,
} from '#trackers/issue.js';
import type { Actor } from '../../kernel/actor.js';
import { inTransaction } from '../../kernel/transaction.js';
import { changeCountermeasures } from '../../projects/project-countermeasure/change.commands.js';
import { findCountermeasure } from '../../projects/project-countermeasure/find-countermeasure.js';
import { projectToChange } from '../../projects/project-access/find-project.js';
import {
  intendIssue,
  recordFailure,
  recordMissing,
  recordReleased,
  recordSeen,
  recordSettled,
} from '../tracked-issue/tracked-issue.commands.js';
import {
  type Base,
  baseAfter,
  type Comparison,
  firstBase,
  type SeenIssue,
  type Wanted,
} from '../tracked-issue/compare.js';
import { seenIssue, wantedIssue } from '../tracked-issue/issue-text.js';
import { changesSince } from './changed-issues.js';
import { knownIssues, nextEntries, orphans, type SyncedConnection, type SyncEntry } from './sync-items.js';
import { type ExistingRow, planStep, type Step, type TrackedRow } from '../tracked-issue/plan.js';
import { type LeasedConnection, trackerLease } from '../leased-connection/leased-connection.js';
import type { BegunRun } from './sync-queue.js';

/** How a turn of a run ended. */
export type TurnEnd =
  | { readonly end: 'finished'; readonly error: string | undefined }
  | { readonly end: 'paused'; readonly seconds: number; readonly position: number };

/** What a turn works with. */
export interface Turn {
  readonly em: EntityManager;
  readonly lease: LeasedConnection;
  readonly run: BegunRun;
  readonly connection: SyncedConnection;
  readonly tracker: TrackerProject;
  readonly actor: Actor;
  /** The public origin of the service, for links. */
  readonly origin: string;
  /** Whether the turn has to end: the process is stopping, or others wait. */
  readonly isOver: () => boolean;
}

/** After so many refusals in a row, the run ends: they have one cause. */
const MAX_REFUSALS_IN_A_ROW = 10;

/** A longer request for patience is shortened to this. */
const MAX_PAUSE_SECONDS = 3600;

const NO_RESPONSE = 'The tracker did not respond.';

type Counter = 'created' | 'changed' | 'closed' | 'marked' | 'conflicts' | 'missing' | 'failed';

/** Ends a turn early. */
class Paused extends Error {}

/**
 * One turn of a run: it reads what has changed in the tracker, and then compares one countermeasure after the other.
 */
export class Synchronization {
  private position: number;
  private refusals = 0;
  private metadata: TrackerMetadata | undefined;

  constructor(private readonly turn: Turn) {
    this.position = turn.run.position;
  }

  /** Does as much as the turn allows. Throws `LeaseLost` if another worker has the connection. */
  async take(): Promise<TurnEnd> {
    try {
      if (!this.turn.run.listed) await this.list();
      await this.compareAll();
      await this.releaseOrphans();
      return { end: 'finished', error: undefined };
    } catch (error) {
      const { position } = this;
      if (error instanceof Paused) return { end: 'paused', seconds: 0, position };
      if (error instanceof TrackerBusy)
        return { end: 'paused', seconds: Math.min(error.seconds, MAX_PAUSE_SECONDS), position };
      if (error instanceof TrackerRefusal) return { end: 'finished', error: error.message };
      if (error instanceof OutboundFailure) return { end: 'finished', error: NO_RESPONSE };
      throw error;
    }
  }

  /** A transaction in which the worker certainly has the connection. */
  private step<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const { em, lease } = this.turn;
    return inTransaction(em, lease, async (transaction) => {
      await trackerLease.hold(transaction, lease);
      return work(transaction);
    });
  }

  private async count(em: EntityManager, counter: Counter): Promise<void> {
    const column = sql.ref(counter);
    await sql`UPDATE tracker_sync_run SET ${column} = ${column} + 1 WHERE id = ${this.turn.run.id}`.execute(
      em.getKysely(),
    );
  }

  /**
   * Reads what has changed in the tracker. If someone asked for the run, and once a day, all issues are listed; those
   * that are not in the list are looked up one by one.
   */
  private async list(): Promise<void> {
    const { connection, tracker, run } = this.turn;
    const known = await this.step((em) => knownIssues(em, connection.id));
    const lists = run.requested || connection.isListingDue;
    const found = new Set<string>();
    let cursor = connection.cursor;
    if (known.length)
      for await (const issues of changesSince(tracker, lists ? null : connection.cursor)) {
        await this.step((em) => recordSeen(em, connection.id, issues));
        for (const { id, updated } of issues) {
          found.add(id);
          const time = updated.toISOString();
          if (cursor === null || time > cursor) cursor = time;
        }
      }
    if (lists)
      for (const row of known) if (!found.has(row.issueId)) await this.lookUp(row, await tracker.read(row.issueId));
    await this.step(async (em) => {
      await sql`UPDATE tracker_connection SET cursor = ${cursor}::timestamptz,
          listed_at = CASE WHEN ${lists} THEN now() ELSE listed_at END WHERE id = ${connection.id}`.execute(
        em.getKysely(),
      );
      await sql`UPDATE tracker_sync_run SET listed = true WHERE id = ${run.id}`.execute(em.getKysely());
    });
  }

  /** Records an issue that was not in the list: it is gone, or in another project, or has lost its label. */
  private lookUp(
    row: { readonly id: number; readonly project: string | null },
    issue: TrackerIssue | undefined,
  ): Promise<void> {
    return this.step(async (em) => {
      if (issue && (row.project === null || issue.project === row.project))
        return recordSeen(em, this.turn.connection.id, [issue]);
      if (await recordMissing(em, row)) await this.count(em, 'missing');
    });
  }

  private async compareAll(): Promise<void> {
    const { connection, actor, origin } = this.turn;
    for (;;) {
      const entries = await this.step((em) => nextEntries(em, connection, actor, this.position));
      if (!entries.length) return;
      for (const entry of entries) {
        const wanted = entry.inScope ? wantedIssue(entry, connection, origin) : undefined;
        await this.apply(planStep(wanted, entry.row ?? undefined, connection), entry, wanted);
        this.position = entry.identity;
      }
    }
  }

  private async releaseOrphans(): Promise<void> {
    const rows = await this.step((em) => orphans(em, this.turn.connection.id));
    for (const row of rows) await this.apply(planStep(undefined, row, this.turn.connection), undefined, undefined);
  }

  private async apply(step: Step, entry: SyncEntry | undefined, wanted: Wanted | undefined): Promise<void> {
    if (step.step === 'nothing') return;
    if (this.turn.isOver()) throw new Paused();
    if (step.step === 'release') return this.attempt(step.row, () => this.release(step.row, step.status));
    if (!entry || !wanted) return;
    if (step.step === 'compare')
      return this.attempt(step.row, () => this.settle(entry, step.row, wanted, step.comparison));
    const row =
      step.step === 'resume'
        ? step.row
        : await this.step((em) => intendIssue(em, this.turn.connection.id, entry.identity));
    return this.attempt(row, () => this.create(entry, row, wanted, step.step === 'resume'));
  }

  /** Records why an issue failed, and goes on with the next one, unless the failure is likely to concern all. */
  private async attempt(row: TrackedRow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.refusals = 0;
    } catch (error) {
      const refused = error instanceof TrackerRefusal;
      if (!refused && !(error instanceof OutboundFailure)) throw error;
      if (refused && row.issueId !== null && (await this.isGone(row, row.issueId))) return;
      await this.step(async (em) => {
        await recordFailure(em, row, refused ? error.message : NO_RESPONSE);
        await this.count(em, 'failed');
      });
      this.refusals += 1;
      if (!refused || this.refusals >= MAX_REFUSALS_IN_A_ROW) throw error;
    }
  }

  /** Whether the tracker refused because the issue does not exist any more. */
  private async isGone(row: TrackedRow, issueId: string): Promise<boolean> {
    try {
      if (await this.turn.tracker.read(issueId)) return false;
    } catch (error) {
      if (error instanceof TrackerRefusal) return false;
      throw error;
    }
    await this.lookUp({ id: row.id, project: null }, undefined);
    return true;
  }

  /** Creates an issue whose intent is stored, or finds it if it was created before. */
  private async create(entry: SyncEntry, row: TrackedRow, wanted: Wanted, mayExist: boolean): Promise<void> {
    const { connection, tracker } = this.turn;
    const found = mayExist ? await tracker.find(row.marker) : undefined;
    const issue =
      found ??
      (await tracker.create({
        type: connection.issueType === '' ? undefined : connection.issueType,
        title: wanted.title,
        text: wanted.body,
        priority: await this.offered(entry.priority, wanted.priority),
        labels: connection.labels,
        fields: connection.fields,
        marker: row.marker,
      }));
    const seen = seenIssue(issue);
    const base = firstBase(wanted, seen, connection);
    await this.step(async (em) => {
      await recordSettled(em, row, { ...issue, seen }, base);
      await this.count(em, 'created');
    });
    const existing: ExistingRow = { ...row, status: 'synced', issueId: issue.id, issueKey: issue.key, base, seen };
    const next = planStep(wanted, existing, connection);
    if (next.step === 'compare') await this.settle(entry, next.row, wanted, next.comparison);
  }

  /** The tracker's priority, if it has one of this name: a name that the connection chose is always sent. */
  private async offered(priority: number, name: string | null): Promise<string | undefined> {
    const { connection, tracker } = this.turn;
    if (name === null || connection.priorityMap[priority] !== undefined) return name ?? undefined;
    const type = connection.issueType === '' ? undefined : connection.issueType;
    this.metadata ??= await tracker.describe(type);
    return this.metadata.priorities.includes(name) ? name : undefined;
  }

  /** Writes what a comparison found, first to the tracker and then to Merlon. */
  private async settle(entry: SyncEntry, row: ExistingRow, wanted: Wanted, comparison: Comparison): Promise<void> {
    const { priority: _wanted, ...others } = comparison.change;
    const priority = comparison.change.priority && (await this.offered(entry.priority, comparison.change.priority));
    const change: IssueChange = { ...others, ...(priority !== undefined && { priority }) };
    const writes = Object.keys(change).length > 0;
    const now = writes ? seenIssue(await this.turn.tracker.update(row.issueId, change)) : row.seen;
    const base = baseAfter(wanted, row.seen, { ...comparison, change }, now);
    await this.record(entry, row, comparison, { writes, now, base });
  }

  private record(
    entry: SyncEntry,
    row: ExistingRow,
    { mark, conflict }: Comparison,
    { writes, now, base }: { readonly writes: boolean; readonly now: SeenIssue; readonly base: Base },
  ): Promise<void> {
    const { em, lease, actor, connection } = this.turn;
    return inTransaction(em, lease, async (transaction) => {
      // The project is locked before the connection, as in commands of users.
      const changed =
        mark === undefined || (await this.mark(transaction, actor, String(connection.projectId), entry, row, mark));
      await trackerLease.hold(transaction, lease);
      if (writes) await this.count(transaction, 'changed');
      // Someone has just changed the status: the next run compares it again.
      if (!changed) return;
      if (mark !== undefined) await this.count(transaction, 'marked');
      if (conflict) await this.count(transaction, 'conflicts');
      await recordSettled(transaction, row, { id: row.issueId, key: row.issueKey, seen: now }, base);
    });
  }

  /** Sets the status of a countermeasure, unless it has changed since it was compared. */
  private async mark(
    em: EntityManager,
    actor: Actor,
    projectId: string,
    entry: SyncEntry,
    { issueKey, seen }: ExistingRow,
    status: string,
  ): Promise<boolean> {
    const project = await projectToChange(em, actor, projectId, 'status');
    const countermeasure = await findCountermeasure(em, actor.organizationId, project, entry.id);
    if (countermeasure.status.itemId !== entry.status) return false;
    const note = `The issue ${issueKey ?? ''} has the status "${seen.status}".`;
    await changeCountermeasures(em, actor, project, [countermeasure], { status, status_note: note });
    return true;
  }

  /** Leaves an issue alone from now on; closes it first if the connection says so. */
  private async release(row: ExistingRow, status: string | undefined): Promise<void> {
    const now = status === undefined ? row.seen : seenIssue(await this.turn.tracker.update(row.issueId, { status }));
    const { merlon, tracker } = row.base;
    const base = { merlon: { ...merlon, status: null }, tracker: { ...tracker, status: now.status } };
    await this.step(async (em) => {
      await recordReleased(em, row, now, base);
      if (status !== undefined) await this.count(em, 'closed');
    });
  }
}
