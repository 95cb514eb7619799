import type { Model } from './model.js';

/** Cubes of facts: a query goes through one of them only where it names it, so that it never guesses what was meant. */
const FACTS = new Set(['Activity', 'Integration', 'Training', 'TrendApplication', 'TrendProject', 'TrendTask']);

/** How the cubes of a query are joined: from the root to each of them. */
export interface JoinPlan {
  readonly root: string;
  /** One path for each cube but the root, each beginning with the root. */
  readonly paths: readonly (readonly string[])[];
}

/** The shortest paths from a cube to all that can be reached through cubes that may stand between. */
function pathsFrom(model: Model, root: string, named: ReadonlySet<string>): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>([[root, [root]]]);
  const queue = [root];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const path = paths.get(next) ?? [];
    for (const cube of model.cubes.get(next)?.joins ?? []) {
      if (paths.has(cube) || (FACTS.has(cube) && !named.has(cube))) continue;
      paths.set(cube, [...path, cube]);
      queue.push(cube);
    }
  }
  return paths;
}

/**
 * Finds how cubes are joined: from the one of them, or else the nearest one above all of them, that leads to every other.
 * Undefined where nothing does.
 */
export function planJoins(model: Model, cubes: readonly string[]): JoinPlan | undefined {
  const named = new Set(cubes);
  const others = [...model.cubes.keys()].filter((cube) => !named.has(cube) && !FACTS.has(cube));
  let best: JoinPlan | undefined;
  const length = (plan: JoinPlan): number => plan.paths.reduce((sum, path) => sum + path.length, 0);
  for (const candidates of [cubes, others]) {
    for (const root of candidates) {
      const reached = pathsFrom(model, root, named);
      const paths = cubes.filter((cube) => cube !== root).map((cube) => reached.get(cube));
      if (!paths.every((path) => path !== undefined)) continue;
      const plan = { root, paths };
      if (!best || length(plan) < length(best)) best = plan;
    }
    if (best) return best;
  }
  return undefined;
}
