import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '#domain/activity/activations.js';
import type { ActivityInput } from '#domain/activity/activity.js';
import type { Actor } from '#domain/kernel/actor.js';
import { alsoOf, type ParentItem } from '#domain/library/countermeasure/part.commands.js';
import { visibleVersion } from '#domain/library/customization/customization.sql.js';
import type { Applied } from './applied.js';
import type { Plan } from '../plans/plan.js';

/** Titles that are told may be long texts: of questions, for one. */
const LONGEST_TITLE = 500;

/** What happened to an item, as its own command would tell it. */
export function activityInputsOf(
  plan: Plan,
  { id, changes, created }: Applied,
  title: string,
  whole?: ParentItem,
): ActivityInput[] {
  const { subject } = plan;
  const item = {
    id: plan.kind === 'workflow_prompt' ? Number(id) : id,
    title: Array.from(title).slice(0, LONGEST_TITLE).join(''),
    ...(whole && { also: alsoOf(whole) }),
  };
  if (created) return [{ subject, verb: 'Created', ...item }];
  const { field, off } = plan.switch ?? {};
  const { [field ?? '']: switched, ...others } = changes;
  if (!switched) return [{ subject, verb: 'Updated', ...item }];
  return activationsOf(subject, item, { ...others, active: switched.to !== off }, switched.from !== off);
}

/** The countermeasures that items exist within, by the identity of the item; of other kinds there are none. */
export async function titlesOfOwners(
  em: EntityManager,
  actor: Actor,
  { kind, owner }: Plan,
  identities: readonly number[],
): Promise<Map<number, ParentItem>> {
  if (!owner) return new Map();
  const { rows } = await sql<{ part: string; identity: string; id: string; title: string }>`
    SELECT p.id AS part, c.id AS identity, c.item_id AS id,
      (${visibleVersion('countermeasure', ['title'], sql`c.id`, actor.organizationId)}) AS title
    FROM ${sql.table(kind)} p JOIN countermeasure c ON c.id = p.countermeasure_id
    WHERE p.id = ANY(${identities}::bigint[])`.execute(em.getKysely());
  return new Map(
    rows.map(({ part, identity, id, title }) => [Number(part), { identity: Number(identity), id, title }]),
  );
}
