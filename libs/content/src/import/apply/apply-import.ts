import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { markNumbersUsed } from '#domain/kernel/items/id-counter.js';
import { isBuiltInId } from '#domain/kernel/item-id.js';
import { lockRule } from '#domain/kernel/lock.js';
import { isCustomizable } from '#domain/library/customization/customization.sql.js';
import { isUniquelyNamed, lockNames } from '#domain/library/item-batch/unique-names.js';
import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import { organizationContext } from '../../organization-context.js';
import type { RowValues } from '#files/cell-value.js';
import { assignIdentities, claimConditionNumbers, type CreatedRow } from './assign-identities.js';
import { EntryNumbers } from '../plans/entry-numbers.js';
import { cascade } from './cascade.js';
import type { ImportWatch } from '../difference/check-import.js';
import { Difference } from '../difference/difference.js';
import { checkLibraryRules } from '../difference/rules-across-rows.js';
import { PLANS } from '../plans/plans.js';
import {
  comparedRows,
  type NamedRow,
  namedRows,
  rowChanges,
  type RowHead,
  type ImportAttempt,
} from '../difference/staging.js';
import { applyBatch } from './apply-batch.js';

const valuesOf = (json: string): RowValues => JSON.parse(json) as RowValues;

/** The library has changed since the differences were calculated. Nothing was applied. */
export class LibraryChanged extends Error {
  /** @param errors what has changed, shown to the user */
  constructor(readonly errors: readonly JobError[]) {
    super('The library has changed.');
    this.name = 'LibraryChanged';
  }
}

/** Maximum number of changed rows that the error lists. */
const NAMED_CHANGES = 20;

/**
 * Applies a difference in the caller's transaction, which must be rolled back if this throws. Throws `LibraryChanged`
 * if the library has changed since the difference was made, and the signal's reason if that is aborted.
 */
export async function applyImport(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  watch: ImportWatch,
): Promise<void> {
  const { signal, progress } = watch;
  const models = await modelsOf(em, attempt);
  await lockRules(em, actor, models);
  const changed: JobError[] = [];
  const report = (error: JobError): void => void changed.push(error);
  const difference = new Difference(em, actor, organizationContext(actor.organizationId, actor.flags), report);
  const created: CreatedRow[] = [];
  const entryNumbers = await EntryNumbers.of(em, actor);
  let total = 0;
  let unchanged = 0;
  for await (const rows of namedRows(em, attempt)) {
    signal.throwIfAborted();
    for (const { model, entries } of rows) entryNumbers.note(model, entries);
    await lockItems(em, actor, rows);
    const createdRows = rows.filter(({ action }) => action === 'created');
    changed.push(...(await difference.findCreatedMeanwhile(createdRows)).map(changeOf));
    for (const { position, model, id } of createdRows) created.push({ position, model, id });
    total += rows.length;
    unchanged += rows.filter(({ action }) => action === 'unchanged').length;
    if (changed.length >= NAMED_CHANGES) throwIfChanged(changed);
  }
  await verify(em, attempt, difference, changed, signal);
  await checkLibraryRules(em, actor, attempt, report);
  throwIfChanged(changed);
  const context = {
    em,
    actor,
    ...(await assignIdentities(em, actor, created)),
    isFreeCondition: await claimConditionNumbers(em, actor, await greatestConditionOf(em, attempt)),
    keptConditions: new Set<number>(),
    keptContexts: await entryNumbers.claim(em, actor),
  };
  let done = unchanged;
  for await (const rows of rowChanges(em, attempt)) {
    signal.throwIfAborted();
    changed.push(...(await applyBatch(context, rows)));
    throwIfChanged(changed);
    done += rows.length;
    progress({ done, total });
  }
  await markNumbersUsed(em, actor, 'match_condition', [...context.keptConditions]);
  await cascade(em, actor, attempt, context.assigned);
}

function throwIfChanged(changed: readonly JobError[]): void {
  if (changed.length) throw new LibraryChanged(changed.slice(0, NAMED_CHANGES));
}

async function modelsOf(em: EntityManager, { job, fence }: ImportAttempt): Promise<Set<ContentModel>> {
  const { rows } = await sql<{ model: ContentModel }>`
    SELECT DISTINCT model FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND action <> 'unchanged'`.execute(
    em.getKysely(),
  );
  return new Set(rows.map(({ model }) => model));
}

/** Takes the locks of all rules that span several items, so that these items can't be changed concurrently. */
async function lockRules(em: EntityManager, actor: Actor, models: ReadonlySet<ContentModel>): Promise<void> {
  await lockRule(em, 'import', actor.organizationId);
  for (const model of CONTENT_MODELS) {
    const plan = models.has(model) ? PLANS[model] : undefined;
    if (!plan) continue;
    if (isUniquelyNamed(plan.kind)) await lockNames(em, actor, plan.kind);
    await plan.lock?.(em, actor);
  }
  // A later batch may contain the parent.
  if (models.has('attribute')) await sql`SET CONSTRAINTS attribute_parent_id_fkey DEFERRED`.execute(em.getKysely());
}

/** Locks the items of the rows, as the commands do. Built-in items are first customized. */
async function lockItems(em: EntityManager, actor: Actor, rows: readonly NamedRow[]): Promise<void> {
  const plan = rows[0] && PLANS[rows[0].model];
  if (!plan) return;
  const { kind, customize } = plan;
  const changing = rows.flatMap(({ id, action }) =>
    id !== null && action !== 'created' && action !== 'unchanged' ? [id] : [],
  );
  const builtIn = changing.filter((id) => isBuiltInId(kind, id));
  await customize?.(em, actor, builtIn);
  // Including items without changes, because they are compared again.
  const all = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  await sql`SELECT 1 FROM ${sql.table(isCustomizable(kind) ? `${kind}_version` : kind)}
    WHERE organization_id = ${actor.organizationId} AND item_id = ANY(${all}::text[]) ORDER BY id FOR UPDATE`.execute(
    em.getKysely(),
  );
}

/** Compares existing items with the files again, and checks that the difference is still the accepted one. */
async function verify(
  em: EntityManager,
  attempt: ImportAttempt,
  difference: Difference,
  changed: JobError[],
  signal: AbortSignal,
): Promise<void> {
  for await (const rows of comparedRows(em, attempt)) {
    signal.throwIfAborted();
    const rowsWithValues = rows.map((row) => ({ ...row, given: valuesOf(row.givenText) }));
    const { named } = await difference.compare(rowsWithValues);
    for (const { row, action, changes } of named)
      if (action !== row.action || JSON.stringify(changes) !== row.changesText) changed.push(changeOf(row));
    if (changed.length >= NAMED_CHANGES) return;
  }
}

/** The greatest number of a match condition in the files; 0 if there is none. */
async function greatestConditionOf(em: EntityManager, { job, fence }: ImportAttempt): Promise<number> {
  const { rows } = await sql<{ greatest: number | null }>`
    SELECT max(greatest_condition) AS greatest FROM import_row WHERE job_id = ${job} AND fence = ${fence}`.execute(
    em.getKysely(),
  );
  return rows[0]?.greatest ?? 0;
}

const changeOf = ({ file, row, id }: RowHead): JobError => ({
  file,
  row,
  field: null,
  details: `${id === null ? 'The item of the row' : `"${id}"`} has changed since the differences were calculated.`,
});
