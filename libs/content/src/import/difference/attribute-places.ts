import { CIRCULAR, DEEPEST_LEVEL, tooDeep } from '#domain/library/attribute/attribute.rules.js';

/** By attribute, the one that it hangs below; null for roots. */
type Parents = ReadonlyMap<string, string | null>;

/** What is wrong with where an attribute hangs, its id and its parent given: a new one has no id yet. */
export function placeProblems(parents: Parents): (id: string | null, parent: string | null) => string | undefined {
  const levelsAbove = levelsIn(parents);
  const children = childrenIn(parents);
  return (id, parent) => {
    const above = levelsAbove(parent);
    if (above === undefined) return CIRCULAR;
    const depth = above + levelsBelow(children, id);
    return depth > DEEPEST_LEVEL ? tooDeep(depth) : undefined;
  };
}

/** How many attributes there are from the root to one; undefined on a circle. Each is passed once, however many ask. */
function levelsIn(parents: Parents): (from: string | null) => number | undefined {
  const known = new Map<string, number | undefined>();
  return (from) => {
    const passed: string[] = [];
    let id = from;
    while (id !== null && !known.has(id)) {
      // A way that comes back here before this is known goes round in a circle.
      known.set(id, undefined);
      passed.push(id);
      id = parents.get(id) ?? null;
    }
    let levels = id === null ? 0 : known.get(id);
    for (const below of passed.toReversed()) {
      levels = levels === undefined ? undefined : levels + 1;
      known.set(below, levels);
    }
    return levels;
  };
}

function childrenIn(parents: Parents): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) {
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

/** Levels of an attribute and everything below it, as far as it matters. */
function levelsBelow(children: ReadonlyMap<string, readonly string[]>, id: string | null): number {
  let level = id === null ? [] : [id];
  let levels = 0;
  while (level.length && levels <= DEEPEST_LEVEL) {
    levels += 1;
    level = level.flatMap((parent) => children.get(parent) ?? []);
  }
  return Math.max(levels, 1);
}
