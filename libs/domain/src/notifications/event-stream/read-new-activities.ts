import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isoTime, jsonObject } from '#query/expressions.js';
import { scopeOfActor, visibleProject } from '../../projects/project-access/project-visibility.js';
import type { RequestSource } from '../../activity/request-source.js';
import type { Actor } from '../../kernel/actor.js';
import type { EventPosition } from './event-position.js';

/** How many activities are read at once. If there are more, clients have to read everything again. */
const MAX_NEW_ACTIVITIES = 1000;

/** A transaction that takes longer may not be noticed: its activities are older than what is looked at. */
const MAX_TRANSACTION_MINUTES = 15;

/** An activity that was committed since a position. */
export interface NewActivity {
  readonly organization: number;
  readonly project: number | null;
  /** As the activity stream shows it. */
  readonly shown: {
    readonly id: number;
    readonly name: string;
    readonly actor: number | null;
    readonly text: string;
    readonly date: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly icon: string;
    readonly log_level: string;
    readonly source: RequestSource | null;
  };
}

/** The present position. */
export async function currentPosition(em: EntityManager): Promise<EventPosition> {
  const { rows } = await sql<EventPosition>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at,
      pg_current_snapshot()::text AS snapshot`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('The query of the position returned no row.');
  return row;
}

const shown = jsonObject({
  id: sql`item.id`,
  name: sql`item.name`,
  actor: sql`item.actor_id`,
  text: sql`item.text`,
  date: isoTime(sql`item.occurred_at`),
  data: sql`item.data`,
  icon: sql`item.icon`,
  log_level: sql`item.log_level`,
  source: sql`item.source`,
});

/**
 * The activities of organizations that were committed between two positions, in the order of their ids; undefined if
 * they are too many.
 */
export async function readNewActivities(
  em: EntityManager,
  organizations: readonly number[],
  since: EventPosition,
  until: EventPosition,
): Promise<readonly NewActivity[] | undefined> {
  const { rows } = await sql<Omit<NewActivity, 'project'> & { project: string | null }>`
    SELECT item.organization_id AS organization, item.data ->> 'project' AS project, ${shown} AS shown
    FROM activity item
    WHERE item.organization_id = ANY(${organizations}::bigint[])
      AND item.occurred_at > to_timestamp(${since.at} / 1000.0)
        - make_interval(mins => ${sql.lit(MAX_TRANSACTION_MINUTES)})
      AND item.transaction_id >= pg_snapshot_xmin(${since.snapshot}::pg_snapshot)
      AND NOT pg_visible_in_snapshot(item.transaction_id, ${since.snapshot}::pg_snapshot)
      AND pg_visible_in_snapshot(item.transaction_id, ${until.snapshot}::pg_snapshot)
    ORDER BY item.id LIMIT ${sql.lit(MAX_NEW_ACTIVITIES + 1)}`.execute(em.getKysely());
  if (rows.length > MAX_NEW_ACTIVITIES) return undefined;
  return rows.map(({ project, ...row }) => ({ ...row, project: project === null ? null : Number(project) }));
}

/** The projects of activities that an actor can see. */
export async function visibleProjectsOf(
  em: EntityManager,
  actor: Actor,
  activities: readonly NewActivity[],
): Promise<ReadonlySet<number>> {
  const ids = new Set(activities.flatMap(({ project }) => project ?? []));
  if (!ids.size) return ids;
  const { rows } = await sql<{ id: number }>`
    SELECT p.id FROM project p WHERE p.id = ANY(${[...ids]}::bigint[])
      AND ${visibleProject('p', scopeOfActor(actor))}`.execute(em.getKysely());
  return new Set(rows.map(({ id }) => id));
}
