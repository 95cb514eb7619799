import type { Pool } from './values.js';

export type Id = string | number;

export const BASE = '/api/v2';

/** The place in the pool of items that stay, for what lies within them: others may be deleted meanwhile. */
export const withinItems = (before: string): string => `within ${before}`;

/** Four of something. */
export const some = <T>(make: () => Promise<T>): Promise<T[]> => Promise.all([1, 2, 3, 4].map(make));

/** Names of the parts of a path that are in braces. */
export const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The part of a path before a name, and whether that name is the path's last part. */
const placeOf = (path: string, name: string): { before: string; isLast: boolean } => {
  const start = path.indexOf(`/{${name}}`);
  return { before: path.slice(0, start), isLast: path.slice(start) === `/{${name}}/` };
};

/** Ids for one of a path's names: `id` says nothing of its own, what it may be follows from the path before it. */
export function idsAt(pool: Pool, path: string, name: string): readonly Id[] {
  const { before, isLast } = placeOf(path, name);
  return (isLast ? undefined : pool[withinItems(before)]) ?? pool[before] ?? [];
}

/** All ids that are known for one of a path's names, also those of items that may be gone. */
export function everyIdAt(pool: Pool, path: string, name: string): readonly Id[] {
  const { before } = placeOf(path, name);
  return [...new Set([...(pool[withinItems(before)] ?? []), ...(pool[before] ?? [])])];
}

/** A path with a value for each of its names. */
export const filled = (path: string, values: readonly string[]): string =>
  namesIn(path).reduce((rest, name, index) => rest.replace(`{${name}}`, values[index] ?? ''), path);
