import { sql } from 'kysely';
import { takeIdentities } from '#domain/kernel/item-numbers.js';
import { nextNumbers } from '#domain/kernel/id-counter.js';
import { customId, isCustomId, numberOf } from '#domain/kernel/item-id.js';
import type { CellValue } from '#files/cell-value.js';
import type { Applied, Applying } from './applied.js';
import { writeContexts } from './apply-contexts.js';
import { entriesOf } from '../plans/nested-values.js';
import type { Plan } from '../plans/plan.js';
import { textOf, textsOf } from '../formats/text-of.js';

interface Batch extends Applying {
  readonly plan: Plan;
  readonly applied: readonly Applied[];
}

/** What is kept besides the columns of an item: tables that hang on it, and what holds for several items. */
export async function applyRelatedTables(batch: Batch): Promise<void> {
  const { plan } = batch;
  if (plan.kind === 'attribute') await placeAttributes(batch);
  if (plan.kind === 'regulation_section') await nameCountermeasures(batch, 'section_id');
  if (plan.kind === 'training_module') await nameCountermeasures(batch, 'training_module_id');
  if (plan.kind === 'component_question') await writeAnswers(batch);
  if (plan.kind === 'workflow_prompt')
    await writeContexts(batch.em, batch.actor, changed(batch, 'contexts'), batch.keptContexts);
}

/** What has to go first: of two defaults at once the database would not hear. */
export async function prepare({
  em,
  actor,
  plan,
  applied,
}: Pick<Batch, 'em' | 'actor' | 'plan' | 'applied'>): Promise<void> {
  if (plan.kind !== 'profile' || !applied.some(({ changes }) => changes.default?.to === true)) return;
  await sql`UPDATE profile SET is_default = false WHERE organization_id = ${actor.organizationId}
    AND is_default`.execute(em.getKysely());
}

/** The items whose field changes, with its new value. */
const changed = ({ applied }: Pick<Batch, 'applied'>, field: string): { item: Applied; to: CellValue }[] =>
  applied.flatMap((item) => {
    const change = item.changes[field];
    return change ? [{ item, to: change.to }] : [];
  });

/** Switches shipped attributes, and hangs own ones below their parents: what follows from that comes at the end. */
async function placeAttributes(batch: Batch): Promise<void> {
  const { em, actor, items } = batch;
  const switched = changed(batch, 'active').filter(({ item }) => !isCustomId(item.id));
  const rows = JSON.stringify(switched.map(({ item, to }) => ({ id: item.identity, active: to })));
  if (switched.length)
    await sql`
      INSERT INTO attribute_switch (organization_id, attribute_id, active)
      SELECT ${actor.organizationId}::bigint, id, active
      FROM json_to_recordset(${rows}::json)
        AS r(id bigint, active boolean)
      ON CONFLICT (organization_id, attribute_id) DO UPDATE
        SET active = excluded.active, updated_at = clock_timestamp()`.execute(em.getKysely());
  const moved = changed(batch, 'parent').map(({ item, to }) => ({
    id: item.identity,
    parent: to === null ? null : items.identity('attribute', textOf(to)),
  }));
  if (moved.length)
    await sql`
      UPDATE attribute a SET parent_id = r.parent,
        ancestors = CASE WHEN r.parent IS NULL THEN '{}'::bigint[] ELSE ARRAY[r.parent] END
      FROM json_to_recordset(${JSON.stringify(moved)}::json) AS r(id bigint, parent bigint)
      WHERE a.id = r.id AND a.organization_id = ${actor.organizationId}`.execute(em.getKysely());
}

/**
 * Replaces the countermeasures that items of a kind name, in a table next to their own, by the column of the item
 * there.
 */
async function nameCountermeasures(batch: Batch, column: 'section_id' | 'training_module_id'): Promise<void> {
  const { em, items, plan } = batch;
  const table = sql.table(`${plan.kind}_countermeasure`);
  const named = changed(batch, 'countermeasures');
  if (!named.length) return;
  const rows = named.flatMap(({ item, to }) =>
    textsOf(to).map((id) => ({ item: item.identity, countermeasure: items.identity('countermeasure', id) })),
  );
  await sql`DELETE FROM ${table}
    WHERE ${sql.ref(column)} = ANY(${named.map(({ item }) => item.identity)}::bigint[])`.execute(em.getKysely());
  await sql`
    INSERT INTO ${table} (${sql.ref(column)}, countermeasure_id)
    SELECT item, countermeasure FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS r(item bigint, countermeasure bigint)`.execute(em.getKysely());
}

/** The answers of components' questions: those that are there change, the others are made. */
async function writeAnswers(batch: Batch): Promise<void> {
  const { em, actor, items } = batch;
  const questions = changed(batch, 'answers');
  const rows = questions.flatMap(({ item, to }) =>
    entriesOf(to).map(({ id, text, description, attribute }, place) => ({
      question: item.identity,
      id: typeof id === 'string' ? id : null,
      text,
      description,
      attribute: typeof attribute === 'string' ? items.identity('attribute', attribute) : null,
      ordinal: place + 1,
    })),
  );
  if (!rows.length) return;
  const { rows: present } = await sql<{ id: string; item_id: string }>`
    SELECT id, item_id FROM component_answer WHERE organization_id = ${actor.organizationId}
      AND question_id = ANY(${questions.map(({ item }) => item.identity)}::bigint[])`.execute(em.getKysely());
  const known = new Map(present.map(({ id, item_id: itemId }) => [itemId, Number(id)]));
  const made = rows.filter(({ id }) => id === null || !known.has(id));
  const given = made.map(({ id }) => (id === null ? undefined : numberOf(id)));
  const unnumbered = given.filter((number) => number === undefined).length;
  const identities = await takeIdentities(em, 'component_answer', made.length);
  let next = made.length ? await nextNumbers(em, actor, 'component_answer', unnumbered) : 0;
  const numbered = made.map((row, place) => ({
    ...row,
    identity: identities[place] ?? 0,
    number: given[place] ?? next++,
  }));
  for (const { identity, number } of numbered)
    items.announce('component_answer', customId('component_answer', number), identity);
  await sql`
    INSERT INTO component_answer (id, organization_id, number, question_id, text, description, attribute_id, ordinal)
    OVERRIDING SYSTEM VALUE
    SELECT identity, ${actor.organizationId}::bigint, number, question, text, description, attribute, ordinal
    FROM json_to_recordset(${JSON.stringify(numbered)}::json) AS r(identity bigint, number integer, question bigint,
      text text, description text, attribute bigint, ordinal integer)`.execute(em.getKysely());
  const changing = rows.flatMap((row) => {
    const identity = row.id === null ? undefined : known.get(row.id);
    return identity === undefined ? [] : [{ ...row, identity }];
  });
  await sql`
    UPDATE component_answer a
      SET text = r.text, description = r.description, attribute_id = r.attribute, ordinal = r.ordinal
    FROM json_to_recordset(${JSON.stringify(changing)}::json) AS r(identity bigint, text text, description text,
      attribute bigint, ordinal integer)
    WHERE a.id = r.identity AND a.organization_id = ${actor.organizationId}`.execute(em.getKysely());
}
