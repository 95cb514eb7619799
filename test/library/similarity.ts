const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** All subsequences of `length` adjacent entries, joined by `joint`. */
const subsequences = (sequence: readonly string[], length: number, separator: string): string[] =>
  Array.from({ length: Math.max(sequence.length - length + 1, 0) }, (_, start) =>
    sequence.slice(start, start + length).join(separator),
  );

/** The trigrams of a text's words. As in pg_trgm, each word is padded with two blanks before and one after it. */
export const letterTrigrams = (text: string): Set<string> =>
  new Set(wordsOf(text).flatMap((word) => subsequences([...`  ${word} `], 3, '')));

/** All sequences of three words in a text. */
export const wordShingles = (text: string): Set<string> => new Set(subsequences(wordsOf(text), 3, ' '));

/** A pair of entries and their similarity, from 0 to 1. */
interface Pair<T> {
  readonly first: T;
  readonly second: T;
  readonly similarity: number;
}

/**
 * All pairs of entries with a similarity of at least `limit`. The measure is the Jaccard index: the number of features
 * that both entries have, divided by the number that either has. With `letterTrigrams`, it equals `similarity()` of
 * PostgreSQL's pg_trgm.
 */
export function similarPairs<T>(
  entries: readonly T[],
  featuresOf: (entry: T) => ReadonlySet<string>,
  limit: number,
): Pair<T>[] {
  const earlier = new Map<string, number[]>();
  const sizes: number[] = [];
  return entries.flatMap((second, index) => {
    const features = featuresOf(second);
    const common = new Map<number, number>();
    for (const feature of features) {
      const owners = earlier.get(feature) ?? [];
      for (const owner of owners) common.set(owner, (common.get(owner) ?? 0) + 1);
      owners.push(index);
      earlier.set(feature, owners);
    }
    sizes.push(features.size);
    return [...common].flatMap(([owner, shared]) => {
      const first = entries[owner];
      const similarity = shared / ((sizes[owner] ?? 0) + features.size - shared);
      return first !== undefined && similarity >= limit ? [{ first, second, similarity }] : [];
    });
  });
}
