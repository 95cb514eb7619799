import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import type { ImportError } from '#domain/exchange/import-job/import-job.rules.js';
import { visible } from '#domain/library/customization/customization.sql.js';
import { builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { parentsInView, placeProblems } from '#domain/library/attribute/attribute-tree.js';
import { NAME_TAKEN } from '#domain/library/phase/phase.rules.js';
import { TITLE_TAKEN } from '#domain/library/weakness/weakness.rules.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { changing, type ImportAttempt } from './staging.js';

/** A name that is there once in the organization's view, whatever its case. */
interface Unique {
  readonly model: ContentModel;
  readonly field: string;
  readonly refusal: string;
  /** Ids and names of what the organization sees now. */
  readonly names: (actor: Actor) => RawBuilder<unknown>;
}

const UNIQUE: readonly Unique[] = [
  {
    model: 'weakness',
    field: 'title',
    refusal: TITLE_TAKEN,
    names: ({ organizationId }) =>
      sql`SELECT w.item_id AS id, w.title AS name FROM weakness_version w
        WHERE ${visible('weakness', 'w', organizationId)}`,
  },
  {
    model: 'phase',
    field: 'name',
    refusal: NAME_TAKEN,
    names: ({ organizationId: organization }) =>
      sql`SELECT p.item_id AS id, p.name FROM phase p WHERE ${builtInOrCustom('p', { organization })}`,
  },
];

interface Place {
  readonly file: string;
  readonly row: number;
}

/** Names that would be there twice once the rows are applied: those of the rows, against each other and the rest. */
async function findTaken(em: EntityManager, actor: Actor, attempt: ImportAttempt, unique: Unique): Promise<Place[]> {
  const { rows } = await sql<Place>`
    WITH renamed AS MATERIALIZED (
      SELECT position, file, row, item_id, lower(changes->${unique.field}->>'to') AS name FROM import_row
      WHERE ${changing(attempt, unique.model, unique.field)}),
    staying AS MATERIALIZED (
      SELECT lower(present.name) AS name FROM (${unique.names(actor)}) present
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
  for (const unique of UNIQUE)
    for (const { file, row } of await findTaken(em, actor, attempt, unique))
      refuse({ file, row, field: unique.field, details: unique.refusal });
  await checkTree(em, actor, attempt, refuse);
  for (const { file, row } of await findDefaults(em, attempt))
    refuse({ file, row, field: 'default', details: 'Only one profile can be the default.' });
}
