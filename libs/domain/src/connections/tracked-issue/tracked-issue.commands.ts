import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { TrackerIssue } from '#trackers/issue.js';
import type { Actor } from '../../kernel/actor.js';
import { numericId } from '../../kernel/row-to-change.js';
import { connectionToChange } from '../tracker-connection/tracker-connection.commands.js';
import type { Base } from './compare.js';
import { seenIssue } from './issue-text.js';
import type { TrackedRow } from './plan.js';
import { trackerLease } from '../leased-connection/leased-connection.js';
import { trackedIssueMachine } from './tracked-issue.machine.js';

/** In Unicode code points. */
const MAX_ERROR_LENGTH = 500;

/** Stores the intent to create an issue: commit it before the issue is created. */
export async function intendIssue(em: EntityManager, connection: number, countermeasure: number): Promise<TrackedRow> {
  const { rows } = await sql<TrackedRow>`
    INSERT INTO tracked_issue (connection_id, project_countermeasure_id) VALUES (${connection}, ${countermeasure})
    RETURNING id, marker, status, issue_id AS "issueId", issue_key AS "issueKey", base, seen`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('The row of an issue was not returned.');
  return row;
}

/** Stores what the tracker returned about issues, by their ids; those that are not of the connection are ignored. */
export async function recordSeen(
  em: EntityManager,
  connection: number,
  issues: readonly TrackerIssue[],
): Promise<void> {
  const rows = issues.map((issue) => ({ id: issue.id, key: issue.key, url: issue.url, seen: seenIssue(issue) }));
  await sql`UPDATE tracked_issue AS item SET seen = r.seen, issue_key = r.key, url = r.url
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(id text, key text, url text, seen jsonb)
    WHERE item.connection_id = ${connection} AND item.issue_id = r.id
      AND (item.seen, item.issue_key, item.url) IS DISTINCT FROM (r.seen, r.key, r.url)`.execute(em.getKysely());
  await trackedIssueMachine.tryMove(em, 'reappear', {
    where: sql`item.connection_id = ${connection} AND item.issue_id = ANY(${issues.map(({ id }) => id)}::text[])`,
    set: sql`error = NULL`,
  });
}

/** Stores that an issue exists, or how both sides agree now. */
export async function recordSettled(
  em: EntityManager,
  { id }: Pick<TrackedRow, 'id'>,
  issue: { readonly id: string; readonly key: string | null; readonly url?: string; readonly seen: object },
  base: Base,
): Promise<void> {
  await trackedIssueMachine.tryMove(em, 'settle', {
    where: sql`item.id = ${id}`,
    set: sql`issue_id = ${issue.id}, issue_key = ${issue.key}, url = coalesce(${issue.url ?? null}, item.url),
      seen = ${JSON.stringify(issue.seen)}::jsonb, base = ${JSON.stringify(base)}::jsonb, error = NULL,
      synced_at = now()`,
  });
}

/** Stores why an issue could not be created or changed. */
export async function recordFailure(em: EntityManager, { id }: Pick<TrackedRow, 'id'>, error: string): Promise<void> {
  const text = Array.from(error.replace(/[\s\p{C}]+/gu, ' ').trim())
    .slice(0, MAX_ERROR_LENGTH)
    .join('');
  await trackedIssueMachine.tryMove(em, 'fail', { where: sql`item.id = ${id}`, set: sql`error = ${text}` });
}

/** Stores that the tracker does not have an issue any more. Returns whether that is news. */
export async function recordMissing(em: EntityManager, { id }: Pick<TrackedRow, 'id'>): Promise<boolean> {
  const moved = await trackedIssueMachine.tryMove(em, 'lose', {
    where: sql`item.id = ${id}`,
    set: sql`error = 'The issue was deleted in the tracker, or moved to another project.'`,
  });
  return moved !== undefined;
}

/** Stores that an issue is not synchronised any more. Its status must follow if it is synchronised again. */
export async function recordReleased(
  em: EntityManager,
  { id }: Pick<TrackedRow, 'id'>,
  seen: object,
  base: Base,
): Promise<void> {
  await trackedIssueMachine.tryMove(em, 'release', {
    where: sql`item.id = ${id}`,
    set: sql`seen = ${JSON.stringify(seen)}::jsonb, base = ${JSON.stringify(base)}::jsonb, error = NULL`,
  });
}

/**
 * Asks for a new issue in place of a missing one: the next run creates it, and is due now. Throws `NotFound`,
 * `Forbidden`, and `Invalid` if it is not missing.
 */
export async function recreateIssue(
  em: EntityManager,
  actor: Actor,
  path: { readonly project: string; readonly connection: string; readonly id: string },
): Promise<void> {
  const { connection } = await connectionToChange(em, actor, path.project, path.connection);
  const key = numericId(path.id);
  // A new marker: the old one would find an issue that was moved to another project.
  const set = sql`marker = 'merlon-' || gen_random_uuid(), issue_id = NULL, issue_key = NULL, url = NULL,
    base = NULL, seen = NULL, error = NULL`;
  const where = sql`item.id = ${key}::bigint AND item.connection_id = ${connection.id}`;
  await trackedIssueMachine.move(em, where, [{ move: 'recreate', set }]);
  await trackerLease.makeDue(em, connection.id);
}
