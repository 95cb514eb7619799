import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { recordActivity } from '#domain/activity/activity.js';
import { changeItems, type ColumnValue, insertItems } from '#domain/kernel/item-batch.commands.js';
import type { ImportError } from '#domain/exchange/import-job/import-job.rules.js';
import { isCustomId } from '#domain/kernel/item-id.js';
import { slugOf } from '#domain/kernel/slug.js';
import type { CellValue } from '#files/cell-value.js';
import type { Applied, Applying } from './applied.js';
import { applyRelatedTables, prepare } from './related-tables.js';
import { activityInputsOf } from './activity-inputs.js';
import type { Items } from '../difference/items.js';
import { type Plan, tableOf } from '../plans/plan.js';
import { PLANS } from '../plans/plans.js';
import { type Changes, newValues } from '../plans/changes.js';
import { changesOf, type RowChange } from '../difference/staging.js';
import { textOf } from '../formats/text-of.js';
import { WRITERS } from './writers.js';

/** Values by field: what changes, and in a new item everything. */
type Fields = Readonly<Record<string, CellValue>>;

/**
 * Applies the rows of a batch, all of one model, which change something. Answers what they refer to and what is not
 * there: then nothing was applied.
 */
export async function applyBatch(context: Applying, rows: readonly RowChange[]): Promise<ImportError[]> {
  const { em, actor, items, references, behind, assigned } = context;
  const model = rows[0]?.model;
  const plan = model && PLANS[model];
  if (!plan) return [];
  const changing = rows.map(changesOf);
  const missing = await references.findMissing(changing);
  if (missing.length) return missing.map(({ error }) => error);
  const write = WRITERS[model];
  if (write) {
    await write(context, changing);
    return [];
  }
  const own = changing.flatMap(({ row: { id }, action }) => (id !== null && action !== 'created' ? [id] : []));
  await items.load(own.map((id) => ({ target: plan.kind, id })));
  const applied = changing.map(({ row, changes }): Applied => {
    const made = assigned.get(row.position);
    if (made) return { changes, ...made, created: true };
    const id = row.id ?? '';
    return { changes, identity: items.identity(plan.kind, id), id, number: 0, created: false };
  });
  const titles = await titlesOf(em, actor, plan, applied);
  await prepare({ em, actor, plan, applied });
  await writeByPlan(context, plan, applied);
  await applyRelatedTables({ ...context, plan, applied });
  const activityInputs = applied.flatMap((item) => activityInputsOf(plan, item, titles.get(item.identity) ?? ''));
  await behind.write(() => recordActivity(em, actor, ...activityInputs));
  return [];
}

/** Makes and changes rows of the model's table. */
async function writeByPlan(
  { em, actor, items, behind }: Applying,
  plan: Plan,
  applied: readonly Applied[],
): Promise<void> {
  const table = tableOf(plan);
  const made = applied.filter(({ created }) => created);
  const changed = applied.filter(({ created }) => !created);
  const values = (fields: Fields): Record<string, ColumnValue> =>
    Object.assign(
      {},
      ...Object.entries(fields).map(([field, value]) => plan.fields[field]?.write(value, items.identity)),
    ) as Record<string, ColumnValue>;
  const places = await placesOf(em, plan, made, items);
  if (made.length) {
    const defaults = defaultsOf(plan);
    const rows = made.map(({ identity, version = identity, number, changes, id }, place) => ({
      identity,
      version,
      number,
      values: {
        ...values({
          ...defaults,
          ...(plan.slugOf !== undefined && { slug: slugFor(plan.slugOf, changes, id) }),
          ...newValues(changes),
        }),
        ...(plan.ordinal && !changes.ordinal && { ordinal: places[place] ?? 1 }),
      },
    }));
    await behind.write(() => insertItems(em, actor, table, rows));
  }
  const rows = changed
    .filter((item) => !isSwitched(plan, item))
    .map(({ identity, changes }) => ({ identity, fields: Object.keys(changes), values: values(newValues(changes)) }));
  if (rows.length) await changeItems(em, actor, table, rows);
}

/** Built-in attributes are switched in another table than their own. */
const isSwitched = ({ kind }: Plan, { id }: Applied): boolean => kind === 'attribute' && !isCustomId(id);

/** What a new item has where its row says nothing. */
const defaultsOf = ({ fields }: Plan): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { otherwise }]) => (otherwise === undefined ? [] : [[name, otherwise]])),
  );

/** The slug of a new item whose row gives none. */
const slugFor = (source: string, changes: Changes, id: string): string =>
  slugOf(textOf(changes[source]?.to), id.toLowerCase());

/** The places of new items behind all others, where their rows name none. */
async function placesOf(em: EntityManager, plan: Plan, made: readonly Applied[], items: Items): Promise<number[]> {
  const { ordinal } = plan;
  if (!ordinal || made.every(({ changes }) => changes.ordinal)) return [];
  const within = ordinal.within;
  const parents = made.map(({ changes }) => {
    if (within === undefined) return 0;
    const [field, parent] = Object.entries(plan.fields).find(([, { columns }]) => within in columns) ?? [];
    return Number(field !== undefined && parent?.write(changes[field]?.to ?? null, items.identity)[within]);
  });
  const column = within === undefined ? sql`0::bigint` : sql.ref(`t.${within}`);
  const { rows } = await sql<{ parent: string; last: number }>`
    SELECT ${column} AS parent, max(t.ordinal) AS last FROM ${sql.table(plan.kind)} t
    WHERE ${column} = ANY(${[...new Set(parents)]}::bigint[]) GROUP BY 1`.execute(em.getKysely());
  const last = new Map(rows.map(({ parent, last: place }) => [Number(parent), Math.max(place, 0)]));
  return parents.map((parent) => {
    const place = (last.get(parent) ?? 0) + 1;
    last.set(parent, place);
    return place;
  });
}

/** What items are called, by identity: as their rows say, else as they were. */
async function titlesOf(
  em: EntityManager,
  actor: Actor,
  plan: Plan,
  applied: readonly Applied[],
): Promise<Map<number, string>> {
  const titles = new Map<number, string>();
  for (const { identity, changes } of applied) {
    const title = changes[plan.title]?.to;
    if (typeof title === 'string') titles.set(identity, title);
  }
  const others = applied.flatMap(({ identity }) => (titles.has(identity) ? [] : [identity]));
  if (!others.length) return titles;
  const source = plan.version
    ? sql`SELECT ${sql.ref(`${plan.kind}_id`)} AS id, title FROM ${sql.table(`${plan.kind}_version`)}
        WHERE organization_id = ${actor.organizationId} AND ${sql.ref(`${plan.kind}_id`)} = ANY(${others}::bigint[])`
    : sql`SELECT id, ${sql.ref(plan.title)} AS title FROM ${sql.table(plan.kind)} WHERE id = ANY(${others}::bigint[])`;
  const { rows } = await sql<{ id: string; title: string }>`${source}`.execute(em.getKysely());
  for (const { id, title } of rows) titles.set(Number(id), title);
  return titles;
}
