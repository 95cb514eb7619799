import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReservedItem } from '#domain/kernel/items/item-numbers.js';
import type { ItemWrite } from '#domain/kernel/items/item-write.js';
import { RejectedRows } from '#domain/kernel/rejected-rows.js';
import type { Upcoming } from '#domain/library/item-batch/references.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import { type CellValue, textsOf } from '#files/cell-value.js';
import { changesOf, type Compared, type RowChange } from '../difference/staging.js';
import { newValues } from '../plans/changes.js';
import { keptNumber } from '../plans/condition-numbers.js';
import { entriesOf } from '../plans/nested-values.js';
import { PLANS } from '../plans/plans.js';
import { rowErrorsOf } from '../plans/row-rules.js';

/** The state that all batches of one import share. */
export interface ApplyContext {
  readonly em: EntityManager;
  readonly actor: Actor;
  /** Ids reserved for new items, by position of the row. */
  readonly assigned: ReadonlyMap<number, ReservedItem>;
  readonly upcoming: Upcoming;
  /** Whether a number was unused by the organization's match conditions before this import. */
  readonly isFreeCondition: (number: number) => boolean;
  /** Numbers from the files that match conditions have kept. */
  readonly keptConditions: Set<number>;
  /** Numbers from the files that are reserved for contexts of prompts and not used yet. */
  readonly keptContexts: Set<number>;
}

/** Match conditions in the command's format. They keep their numbers if these are unused. */
const conditionsOf = ({ isFreeCondition, keptConditions }: ApplyContext, value: CellValue) =>
  entriesOf(value).map((condition) => ({
    ...(typeof condition.id === 'string' && { id: condition.id }),
    number: keptNumber(condition, isFreeCondition, keptConditions),
    required: textsOf(condition.required),
    excluded: textsOf(condition.excluded),
    required_attributes: textsOf(condition.required_attributes),
    excluded_attributes: textsOf(condition.excluded_attributes),
  }));

/** Contexts of prompts in the command's format. The first one with a number keeps it. */
const contextsOf = ({ keptContexts }: ApplyContext, value: CellValue) =>
  entriesOf(value).map((context) => ({
    ...context,
    number: typeof context.id === 'number' && keptContexts.delete(context.id) ? context.id : undefined,
  }));

/** The input of the model's command for one row. */
function commandInputOf(context: ApplyContext, { row, changes }: Compared): ItemWrite<never> {
  const { match_conditions: conditions, contexts, ...others } = newValues(changes);
  const values = {
    ...others,
    ...(conditions !== undefined && { match_conditions: conditionsOf(context, conditions) }),
    ...(contexts !== undefined && { contexts: contextsOf(context, contexts) }),
  };
  const reserved = context.assigned.get(row.position);
  // Reading the row has checked the types. A row of a new item without a required field was rejected earlier.
  return reserved ? { input: values as never, reserved } : { id: row.id ?? '', changes: values as never };
}

/**
 * Applies the changes of a batch of rows of one model. Returns the errors of rows that have become invalid since the
 * difference was made; in that case nothing was applied.
 */
export async function applyBatch(context: ApplyContext, rows: readonly RowChange[]): Promise<JobError[]> {
  try {
    const { em, actor, upcoming } = context;
    const writes = rows.map((row) => commandInputOf(context, changesOf(row)));
    await (rows[0] && PLANS[rows[0].model]?.write(em, actor, writes, { fromFile: true, upcoming }));
    return [];
  } catch (error) {
    if (!(error instanceof RejectedRows)) throw error;
    return rows.flatMap(({ file, row }, index) =>
      rowErrorsOf(error.errors[index]).map((fieldError) => ({ file, row, ...fieldError })),
    );
  }
}
