import { Invalid, missingMessages } from '../../kernel/domain-errors.js';

/** Stands for the countermeasure's own text in an order. */
export const SOLUTION_PLACE = 'SP';

/**
 * Throws `Invalid` unless the order contains all of `ids` and `SOLUTION_PLACE`, each exactly once, and nothing else.
 */
export function checkOrder(order: readonly string[], ids: readonly string[]): void {
  const expected = new Set([...ids, SOLUTION_PLACE]);
  const seenIds = new Set<string>();
  const twice = new Set<string>();
  for (const id of order) (seenIds.has(id) ? twice : seenIds).add(id);
  const errors = [
    ...order.filter((id) => !expected.has(id)).flatMap(missingMessages),
    ...[...twice].filter((id) => expected.has(id)).map((id) => `"${id}" is listed twice.`),
    ...[...expected].filter((id) => !seenIds.has(id)).map((id) => `"${id}" is missing.`),
  ];
  if (errors.length) throw new Invalid({ order: errors });
}

/** Ordinals by id: 1, 2, … after `SOLUTION_PLACE`, and negative before it. The order must have passed `checkOrder`. */
export function ordinalsOf(order: readonly string[]): Map<string, number> {
  const solution = order.indexOf(SOLUTION_PLACE);
  return new Map(order.map((id, index) => [id, index - solution]));
}
