import { CIRCULAR, MAX_LEVEL, tooDeep } from '#domain/library/attribute/attribute.rules.js';
import { treePositionErrors } from './attribute-tree.js';

const MANY = 200_000;
const ids = Array.from({ length: MANY }, (_, n) => `CAT${n + 1}`);

/** The error of each attribute, if any. Fails if checking them takes more than linear processor time. */
function problemsOf(parents: ReadonlyMap<string, string | null>): (string | undefined)[] {
  const before = process.cpuUsage();
  const problemOf = treePositionErrors(parents);
  const problems = [...parents].map(([id, parent]) => problemOf(id, parent));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
  return problems;
}

it('200,000 attributes with the same parent are valid', () => {
  expect(new Set(problemsOf(new Map(ids.map((id, n) => [id, n ? 'CAT1' : null]))))).toEqual(new Set([undefined]));
});

it('Attributes below the maximum depth in a chain of 200,000 are reported as too deep', () => {
  const problems = problemsOf(new Map(ids.map((id, n) => [id, n ? (ids[n - 1] ?? null) : null])));
  expect(problems.at(-1)).toBe(tooDeep(MANY));
  expect(problems.at(-2)).toBe(tooDeep(MANY));
  expect(problems[0]).toBe(tooDeep(MAX_LEVEL + 1));
});

it('All attributes in and below a circle of 200,000 are reported as circular', () => {
  const circle = new Map<string, string | null>(ids.map((id, n) => [id, ids[(n + 1) % MANY] ?? null]));
  circle.set('CAT0', 'CAT7').set('AT1', null).set('AT2', 'AT1');
  const problems = problemsOf(circle);
  expect(problems.slice(0, -2)).toEqual(Array.from({ length: MANY + 1 }, () => CIRCULAR));
  expect(problems.slice(-2)).toEqual([undefined, undefined]);
});
