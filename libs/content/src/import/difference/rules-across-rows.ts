import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { parentsInView, treePositionErrors } from '#domain/library/attribute/attribute-tree.js';
import { extraDefaults, ONE_DEFAULT } from '#domain/library/profile/profile.fields.js';
import { roomForRuleMappings } from '#domain/library/rule-mapping/rule-mapping.commands.js';
import { TOO_MANY_RULE_MAPPINGS } from '#domain/library/rule-mapping/rule-mapping.rules.js';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { findTaken, isUniquelyNamed, UNIQUE_NAMES } from '#domain/library/item-batch/unique-names.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import { PLANS } from '../plans/plans.js';
import { rowsChanging, type ImportAttempt } from './staging.js';

interface Place {
  readonly file: string;
  readonly row: number;
}

/** Reports names that would no longer be unique after the import. */
async function checkNames(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  report: (error: JobError) => void,
): Promise<void> {
  for (const model of CONTENT_MODELS) {
    const kind = PLANS[model]?.kind;
    if (!kind || !isUniquelyNamed(kind)) continue;
    const { field, error: details } = UNIQUE_NAMES[kind];
    const claimed = sql`SELECT position AS place, file, row, item_id AS id, changes->${field}->>'to' AS name
      FROM import_row WHERE ${rowsChanging(attempt, model, field)}`;
    for (const conflict of await findTaken<Place>(em, actor, kind, claimed))
      report({ file: conflict.file, row: conflict.row, field, details });
  }
}

interface Moved extends Place {
  readonly item_id: string | null;
  readonly parent: string | null;
}

/** Reports attributes whose parents would form a cycle, or that would be nested too deeply. */
async function checkTree(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  report: (error: JobError) => void,
): Promise<void> {
  const { rows: moved } = await sql<Moved>`
    SELECT file, row, item_id, changes->'parent'->>'to' AS parent FROM import_row
    WHERE ${rowsChanging(attempt, 'attribute', 'parent')} ORDER BY position`.execute(em.getKysely());
  if (!moved.length) return;
  const parents = await parentsInView(em, actor);
  for (const { item_id: id, parent } of moved) if (id !== null) parents.set(id, parent);
  const errorOf = treePositionErrors(parents);
  for (const { file, row, item_id: id, parent } of moved) {
    const details = errorOf(id, parent);
    if (details !== undefined) report({ file, row, field: 'parent', details });
  }
}

/** Rows that would each make their profile the default, except the first. */
async function findExtraDefaults(em: EntityManager, attempt: ImportAttempt): Promise<Place[]> {
  const { rows } = await sql<Place & { default: boolean }>`
    SELECT file, row, changes->'default'->'to' AS "default" FROM import_row
    WHERE ${rowsChanging(attempt, 'profile', 'default')} ORDER BY position`.execute(em.getKysely());
  return extraDefaults(rows);
}

/** The first new rule mapping that exceeds the organization's limit. */
async function findExcessMapping(
  em: EntityManager,
  actor: Actor,
  { job, fence }: ImportAttempt,
): Promise<Place | undefined> {
  const room = await roomForRuleMappings(em, actor);
  const { rows } = await sql<Place>`
    SELECT file, row FROM import_row
    WHERE job_id = ${job} AND fence = ${fence} AND model = 'rule_mapping' AND action = 'created'
    ORDER BY position OFFSET ${Math.max(room, 0)} LIMIT 1`.execute(em.getKysely());
  return rows[0];
}

/** Checks rules that span several items, once the changes of all rows are known. Reports violations to `report`. */
export async function checkLibraryRules(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  report: (error: JobError) => void,
): Promise<void> {
  await checkNames(em, actor, attempt, report);
  await checkTree(em, actor, attempt, report);
  for (const { file, row } of await findExtraDefaults(em, attempt))
    report({ file, row, field: 'default', details: ONE_DEFAULT });
  const excess = await findExcessMapping(em, actor, attempt);
  if (excess) report({ file: excess.file, row: excess.row, field: null, details: TOO_MANY_RULE_MAPPINGS });
}
