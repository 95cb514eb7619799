import { Invalid, missing } from '../refusal.js';

/** Stands in an order for the countermeasure's own text: the solution's place. */
export const SOLUTION_PLACE = 'SP';

/** Throws `Invalid` unless the order names every one of `ids` once, the solution's place once, and nothing else. */
export function checkOrder(order: readonly string[], ids: readonly string[]): void {
  const expected = new Set([...ids, SOLUTION_PLACE]);
  const problems = order.filter((id) => !expected.has(id)).flatMap(missing);
  const twice = new Set(order.filter((id, place) => expected.has(id) && order.indexOf(id) !== place));
  problems.push(...[...twice].map((id) => `"${id}" is listed twice.`));
  problems.push(...[...expected].filter((id) => !order.includes(id)).map((id) => `"${id}" is missing.`));
  if (problems.length) throw new Invalid({ order: problems });
}

/** Places by id: 1, 2, … after the solution's place, and negative before it. The order has passed `checkOrder`. */
export function ordinalsOf(order: readonly string[]): Map<string, number> {
  const solution = order.indexOf(SOLUTION_PLACE);
  return new Map(order.map((id, place) => [id, place - solution]));
}
