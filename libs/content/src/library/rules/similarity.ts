const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** All runs of `length` in a sequence, joined by blanks where it is of words. */
const runs = (sequence: readonly string[], length: number, joint: string): string[] =>
  Array.from({ length: Math.max(sequence.length - length + 1, 0) }, (_, start) =>
    sequence.slice(start, start + length).join(joint),
  );

/** The three-letter sequences of a text's words, each word with two blanks before and one after it. */
export const letterTrigrams = (text: string): Set<string> =>
  new Set(wordsOf(text).flatMap((word) => runs([...`  ${word} `], 3, '')));

/** The three-word sequences of a text. */
export const wordShingles = (text: string): Set<string> => new Set(runs(wordsOf(text), 3, ' '));

/** Two texts, and how similar they are: 0 to 1. */
interface Pair<T> {
  readonly first: T;
  readonly second: T;
  readonly similarity: number;
}

/**
 * All pairs of entries that are at least as similar as `limit`. The measure is Jaccard's: of all features of either
 * entry, the share that both have. With `letterTrigrams` that is PostgreSQL's `similarity()` (pg_trgm).
 */
export function similarPairs<T>(
  entries: readonly T[],
  featuresOf: (entry: T) => ReadonlySet<string>,
  limit: number,
): Pair<T>[] {
  const earlier = new Map<string, number[]>();
  const sizes: number[] = [];
  return entries.flatMap((second, place) => {
    const features = featuresOf(second);
    const common = new Map<number, number>();
    for (const feature of features) {
      const owners = earlier.get(feature) ?? [];
      for (const owner of owners) common.set(owner, (common.get(owner) ?? 0) + 1);
      owners.push(place);
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
