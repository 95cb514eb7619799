import {
  type CountermeasureOfFile,
  type CountermeasureWrite,
  writeCountermeasures,
} from '#domain/library/countermeasure/countermeasure.commands.js';
import type { Compared } from '../difference/staging.js';
import { type Changes, newValues } from '../plans/changes.js';
import { keptNumber } from '../plans/condition-numbers.js';
import { entriesOf } from '../plans/nested-values.js';
import { textsOf } from '../formats/text-of.js';
import type { Applying } from './applied.js';

/** Makes and changes the countermeasures of a batch by their commands. */
export async function writeCountermeasuresOf(context: Applying, batch: readonly Compared[]): Promise<void> {
  const { em, actor, assigned } = context;
  const writes = batch.map(({ row, changes }): CountermeasureWrite => {
    const given = inputOf(context, changes);
    const reserved = assigned.get(row.position);
    // A row of a new item has all that is required, or it would have been refused before.
    return reserved ? { input: given as CountermeasureOfFile, reserved } : { id: row.id ?? '', changes: given };
  });
  await writeCountermeasures(em, actor, writes, { fromFile: true });
}

/** The fields that a row changes, as the commands take them. Their types have passed the check of the columns. */
function inputOf(
  { isFreeCondition, keptConditions }: Applying,
  { match_conditions: conditions, ...others }: Changes,
): Partial<CountermeasureOfFile> {
  const replaced = conditions && {
    match_conditions: entriesOf(conditions.to).map((condition) => ({
      ...(typeof condition.id === 'string' && { id: condition.id }),
      number: keptNumber(condition, isFreeCondition, keptConditions),
      required: textsOf(condition.required),
      excluded: textsOf(condition.excluded),
      required_attributes: textsOf(condition.required_attributes),
      excluded_attributes: textsOf(condition.excluded_attributes),
    })),
  };
  return { ...newValues(others), ...replaced };
}
