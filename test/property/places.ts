import type { Pool } from './values.js';

export type Id = string | number;

export const BASE = '/api/v2';

/** The key in the pool of items that are never deleted, for paths of items within them. */
export const withinItems = (before: string): string => `within ${before}`;

/** Runs a factory four times. */
export const some = <T>(make: () => Promise<T>): Promise<T[]> => Promise.all([1, 2, 3, 4].map(make));

/** The placeholders of a path, without their braces. */
export const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The part of a path before a placeholder, and whether that is the last part of the path. */
const placeOf = (path: string, name: string): { before: string; isLast: boolean } => {
  const start = path.indexOf(`/{${name}}`);
  return { before: path.slice(0, start), isLast: path.slice(start) === `/{${name}}/` };
};

/** Ids for a placeholder of a path. The path before it determines the kind of id, because most are called `id`. */
export function idsAt(pool: Pool, path: string, name: string): readonly Id[] {
  const { before, isLast } = placeOf(path, name);
  return (isLast ? undefined : pool[withinItems(before)]) ?? pool[before] ?? [];
}

/** All known ids for a placeholder of a path, including those of items that may have been deleted. */
export function everyIdAt(pool: Pool, path: string, name: string): readonly Id[] {
  const { before } = placeOf(path, name);
  return [...new Set([...(pool[withinItems(before)] ?? []), ...(pool[before] ?? [])])];
}

/** A path with a value for each of its placeholders. */
export const filled = (path: string, values: readonly string[]): string =>
  namesIn(path).reduce((rest, name, index) => rest.replace(`{${name}}`, values[index] ?? ''), path);
