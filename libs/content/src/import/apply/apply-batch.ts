import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReservedItem } from '#domain/kernel/item-numbers.js';
import type { ItemWrite } from '#domain/kernel/item-write.js';
import { RejectedRows } from '#domain/kernel/rejected-rows.js';
import type { Upcoming } from '#domain/library/item-batch/references.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { CellValue } from '#files/cell-value.js';
import { changesOf, type Compared, type RowChange } from '../difference/staging.js';
import { textsOf } from '../formats/text-of.js';
import { newValues } from '../plans/changes.js';
import { keptNumber } from '../plans/condition-numbers.js';
import { entriesOf } from '../plans/nested-values.js';
import { PLANS } from '../plans/plans.js';
import { refusedFields } from '../plans/row-rules.js';

/** What all batches of one import share. */
export interface Applying {
  readonly em: EntityManager;
  readonly actor: Actor;
  /** Ids of new items, by position. */
  readonly assigned: ReadonlyMap<number, ReservedItem>;
  readonly upcoming: Upcoming;
  /** Which numbers no match condition of the organization had before. */
  readonly isFreeCondition: (number: number) => boolean;
  /** Numbers that conditions have kept. */
  readonly keptConditions: Set<number>;
  /** Numbers that were taken for contexts of prompts and that none has yet. */
  readonly keptContexts: Set<number>;
}

/** Match conditions as commands take them, which keep their numbers where these are free. */
const conditionsOf = ({ isFreeCondition, keptConditions }: Applying, value: CellValue) =>
  entriesOf(value).map((condition) => ({
    ...(typeof condition.id === 'string' && { id: condition.id }),
    number: keptNumber(condition, isFreeCondition, keptConditions),
    required: textsOf(condition.required),
    excluded: textsOf(condition.excluded),
    required_attributes: textsOf(condition.required_attributes),
    excluded_attributes: textsOf(condition.excluded_attributes),
  }));

/** The same for contexts of prompts: the first that names a number has it. */
const contextsOf = ({ keptContexts }: Applying, value: CellValue) =>
  entriesOf(value).map((context) => ({
    ...context,
    number: typeof context.id === 'number' && keptContexts.delete(context.id) ? context.id : undefined,
  }));

/** The fields of a row by the names of the model's columns, as its command takes them. */
function writeOf(context: Applying, { row, changes }: Compared): ItemWrite<never> {
  const { match_conditions: conditions, contexts, ...others } = newValues(changes);
  const given = {
    ...others,
    ...(conditions !== undefined && { match_conditions: conditionsOf(context, conditions) }),
    ...(contexts !== undefined && { contexts: contextsOf(context, contexts) }),
  };
  const reserved = context.assigned.get(row.position);
  // The check of the columns has passed the types. A row of a new item has all that is required, or it would have
  // been refused before.
  return reserved ? { input: given as never, reserved } : { id: row.id ?? '', changes: given as never };
}

/**
 * Applies the rows of a batch, all of one model, which change something. Answers what their command refuses by now:
 * then nothing was applied.
 */
export async function applyBatch(context: Applying, rows: readonly RowChange[]): Promise<JobError[]> {
  try {
    const { em, actor, upcoming } = context;
    const writes = rows.map((row) => writeOf(context, changesOf(row)));
    await (rows[0] && PLANS[rows[0].model]?.write(em, actor, writes, { fromFile: true, upcoming }));
    return [];
  } catch (error) {
    if (!(error instanceof RejectedRows)) throw error;
    return rows.flatMap(({ file, row }, place) =>
      refusedFields(error.errors[place]).map((refused) => ({ file, row, ...refused })),
    );
  }
}
