import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import type { ImportError } from '#domain/exchange/import-job/import-job.rules.js';
import { isCustomizable, visible } from '#domain/library/customization/customization.sql.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { Sql } from '#query/query-context.js';
import { builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { parentsInView, placeProblems } from '#domain/library/attribute/attribute-tree.js';
import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import { PLANS } from '../plans/plans.js';
import { changing, type ImportAttempt } from './staging.js';

/** Ids and names of what the organization sees now of a kind. */
const namesInView = (kind: Kind, field: string, { organizationId: organization }: Actor): Sql => {
  const [table, isSeen] = isCustomizable(kind)
    ? [`${kind}_version`, visible(kind, 'item', organization)]
    : [kind, builtInOrCustom('item', { organization })];
  return sql`SELECT item.item_id AS id, ${sql.ref(`item.${field}`)} AS name FROM ${sql.table(table)} item WHERE ${isSeen}`;
};

interface Place {
  readonly file: string;
  readonly row: number;
}

/** Names that would be there twice once the rows are applied: those of the rows, against each other and the rest. */
async function findTaken(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  { model, kind, field }: { readonly model: ContentModel; readonly kind: Kind; readonly field: string },
): Promise<Place[]> {
  const { rows } = await sql<Place>`
    WITH renamed AS MATERIALIZED (
      SELECT position, file, row, item_id, lower(changes->${field}->>'to') AS name FROM import_row
      WHERE ${changing(attempt, model, field)}),
    staying AS MATERIALIZED (
      SELECT lower(present.name) AS name FROM (${namesInView(kind, field, actor)}) present
      WHERE present.id NOT IN (SELECT item_id FROM renamed WHERE item_id IS NOT NULL))
    SELECT file, row FROM (SELECT *, count(*) OVER (PARTITION BY name) AS times FROM renamed) r
    WHERE times > 1 OR EXISTS (SELECT 1 FROM staying s WHERE s.name = r.name) ORDER BY position`.execute(
    em.getKysely(),
  );
  return rows;
}

interface Moved extends Place {
  readonly item_id: string | null;
  readonly parent: string | null;
}

/** Where attributes would hang in a circle or too deep. */
async function checkTree(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  refuse: (error: ImportError) => void,
): Promise<void> {
  const { rows: moved } = await sql<Moved>`
    SELECT file, row, item_id, changes->'parent'->>'to' AS parent FROM import_row
    WHERE ${changing(attempt, 'attribute', 'parent')} ORDER BY position`.execute(em.getKysely());
  if (!moved.length) return;
  const parents = await parentsInView(em, actor);
  for (const { item_id: id, parent } of moved) if (id !== null) parents.set(id, parent);
  const problemOf = placeProblems(parents);
  for (const { file, row, item_id: id, parent } of moved) {
    const details = problemOf(id, parent);
    if (details !== undefined) refuse({ file, row, field: 'parent', details });
  }
}

/** Profiles of which each would be the default. */
async function findDefaults(em: EntityManager, attempt: ImportAttempt): Promise<Place[]> {
  const { rows } = await sql<Place & { is_default: boolean }>`
    SELECT file, row, changes->'default'->'to' AS is_default FROM import_row
    WHERE ${changing(attempt, 'profile', 'default')} ORDER BY position`.execute(em.getKysely());
  return rows.filter(({ is_default: isDefault }) => isDefault).slice(1);
}

/** Rules that hold over several items, once it is known what every row would do. What breaks them goes to `refuse`. */
export async function checkLibraryRules(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  refuse: (error: ImportError) => void,
): Promise<void> {
  for (const model of CONTENT_MODELS) {
    const { kind, unique } = PLANS[model] ?? {};
    if (!kind || !unique) continue;
    const { field, refusal: details } = unique;
    for (const { file, row } of await findTaken(em, actor, attempt, { model, kind, field }))
      refuse({ file, row, field, details });
  }
  await checkTree(em, actor, attempt, refuse);
  for (const { file, row } of await findDefaults(em, attempt))
    refuse({ file, row, field: 'default', details: 'Only one profile can be the default.' });
}
