import { MAX_IMPORTED_NUMBER } from '#domain/kernel/items/item-numbers.js';
import { numberOf } from '#domain/kernel/item-id.js';
import { type Entry, entriesOf } from './nested-values.js';
import type { Changes } from './changes.js';

/** The number of a match condition in a file, if its id is one that organizations can have. */
export function conditionNumber({ id, db_id: dbId }: Entry): number | undefined {
  const own = typeof id === 'string' && /^CMC[1-9]\d{0,7}$/.test(id) ? numberOf(id) : undefined;
  const number = typeof dbId === 'number' && Number.isSafeInteger(dbId) && dbId < 0 ? -dbId : own;
  return number === undefined || number > MAX_IMPORTED_NUMBER ? undefined : number;
}

/**
 * The number of a condition from another deployment, if the condition can keep it.
 *
 * @param isFree whether no condition of the organization has ever had this number
 * @param keptNumbers numbers that other conditions have kept; the number is added to them
 */
export function keptNumber(
  condition: Entry,
  isFree: (number: number) => boolean,
  keptNumbers: Set<number>,
): number | undefined {
  const number = conditionNumber(condition);
  if (number === undefined || !isFree(number) || keptNumbers.has(number)) return undefined;
  keptNumbers.add(number);
  return number;
}

/** The greatest number of a match condition in a row; 0 if there is none. */
export const greatestCondition = ({ match_conditions: conditions }: Changes): number =>
  entriesOf(conditions?.to).reduce((greatest, condition) => Math.max(greatest, conditionNumber(condition) ?? 0), 0);
