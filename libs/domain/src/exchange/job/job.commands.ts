import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import type { StateMachine } from '../../kernel/state-machine.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { numericId } from '../../kernel/row-to-change.js';

interface JobKind<Name extends string> {
  readonly machine: StateMachine<string, Name | 'cancel' | 'requestCancel' | 'retry'>;
  readonly subject: 'export_job' | 'import_job';
  readonly titleOf: (id: number) => string;
  /** Further assignments to a cancelled job. */
  readonly cancelled?: Sql;
  /** Further assignments to a retried job. */
  readonly retried?: Sql;
}

/** The users' commands for all kinds of jobs. */
export function jobCommands<Name extends string>({ machine, subject, titleOf, cancelled, retried }: JobKind<Name>) {
  const record = (em: EntityManager, actor: Actor, verb: Verb, id: number): Promise<void> =>
    recordActivity(em, actor, { subject, verb, id, title: titleOf(id) });

  /** Makes the first of these moves that is possible. Throws `NotFound`, `Invalid`. */
  async function move(
    em: EntityManager,
    actor: Actor,
    id: string,
    verb: Verb,
    ...ways: Parameters<typeof machine.move>[2]
  ): Promise<void> {
    const own = sql`item.organization_id = ${actor.organizationId} AND item.id = ${numericId(id)}::bigint`;
    await machine.move(em, own, ways);
    await record(em, actor, verb, Number(id));
  }

  return {
    record,
    move,

    /** Cancels a job: immediately if it waits; otherwise its worker is asked to stop. */
    cancel: (em: EntityManager, actor: Actor, id: string): Promise<void> =>
      move(
        em,
        actor,
        id,
        'Cancelled',
        { move: 'cancel', set: sql`completed_at = clock_timestamp()${cancelled ? sql`, ${cancelled}` : sql``}` },
        { move: 'requestCancel', set: sql`cancel_requested = true` },
      ),

    /** Puts a failed or cancelled job back into the queue, as the actor's own. */
    retry: async (em: EntityManager, actor: Actor, id: string): Promise<void> => {
      const set = sql`triggered_at = clock_timestamp(), triggered_by = ${authorOf(actor)}, completed_at = NULL,
        errors = NULL, progress_done = NULL, progress_total = NULL, starts = 0, cancel_requested = false,
        due_at = clock_timestamp(), queued_until = NULL${retried ? sql`, ${retried}` : sql``}`;
      await move(em, actor, id, 'Retried', { move: 'retry', set });
      await wakeRelay(em);
    },
  };
}
