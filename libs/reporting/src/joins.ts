import type { Model } from './model.js';

/** Cubes that a join path may cross only if the query names them, so that the path is never a guess. */
const NAMED_ONLY = new Set([
  'Activity',
  'Integration',
  'Problem',
  'TaskByCountermeasure',
  'TaskByProject',
  'Threat',
  'Training',
  'TrendApplication',
  'TrendProject',
  'TrendTask',
]);

/** How the cubes of a query are joined: from the root cube to each of the others. */
export interface JoinPlan {
  readonly root: string;
  /** One path for each other cube, beginning with the root. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * Whether a cube joins to a cube of `NAMED_ONLY` that the query names. It is then joined through that one, and not
 * through a bridge.
 */
const isReachedThroughNamed = (model: Model, namedCubes: ReadonlySet<string>, cube: string): boolean =>
  [...namedCubes].some((name) => NAMED_ONLY.has(name) && model.cubes.get(name)?.joins.includes(cube));

/** The shortest join path from the root to every cube that it can reach. */
function pathsFrom(model: Model, root: string, namedCubes: ReadonlySet<string>): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>([[root, [root]]]);
  const queue = [root];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const path = paths.get(next) ?? [];
    const { joins = [], isPublic = true } = model.cubes.get(next) ?? {};
    for (const cube of joins) {
      if (paths.has(cube) || (NAMED_ONLY.has(cube) && !namedCubes.has(cube))) continue;
      if (!isPublic && isReachedThroughNamed(model, namedCubes, cube)) continue;
      paths.set(cube, [...path, cube]);
      queue.push(cube);
    }
  }
  return paths;
}

/**
 * Chooses the root cube and the shortest join paths: a cube of the query if possible, else another cube that reaches
 * all of them. Returns undefined if the cubes can't be joined.
 */
export function planJoins(model: Model, cubes: readonly string[]): JoinPlan | undefined {
  const namedCubes = new Set(cubes);
  const others = [...model.cubes.keys()].filter((cube) => !namedCubes.has(cube) && !NAMED_ONLY.has(cube));
  let best: JoinPlan | undefined;
  const length = (plan: JoinPlan): number => plan.paths.reduce((sum, path) => sum + path.length, 0);
  for (const candidates of [cubes, others]) {
    for (const root of candidates) {
      const reached = pathsFrom(model, root, namedCubes);
      const paths = cubes.filter((cube) => cube !== root).map((cube) => reached.get(cube));
      if (!paths.every((path) => path !== undefined)) continue;
      const plan = { root, paths };
      if (!best || length(plan) < length(best)) best = plan;
    }
    if (best) return best;
  }
  return undefined;
}
