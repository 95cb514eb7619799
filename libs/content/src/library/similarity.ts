/** The three-letter sequences of a text's words, each word with two blanks before and one after it. */
function trigrams(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.flatMap((word) => {
      const padded = `  ${word} `;
      return Array.from({ length: padded.length - 2 }, (_, start) => padded.slice(start, start + 3));
    }),
  );
}

/** Two texts, and how similar they are: 0 to 1. */
interface Pair<T> {
  readonly first: T;
  readonly second: T;
  readonly similarity: number;
}

/**
 * All pairs of entries whose texts are at least as similar as `limit`. The measure is that of PostgreSQL's
 * `similarity()` (pg_trgm): of all three-letter sequences in either text, the share that both have.
 */
export function similarPairs<T>(entries: readonly T[], textOf: (entry: T) => string, limit: number): Pair<T>[] {
  const prepared = entries.map((entry) => ({ entry, grams: trigrams(textOf(entry)) }));
  const pairs: Pair<T>[] = [];
  prepared.forEach((first, index) => {
    for (const second of prepared.slice(index + 1)) {
      const common = [...first.grams].filter((gram) => second.grams.has(gram)).length;
      const similarity = common / (first.grams.size + second.grams.size - common || 1);
      if (similarity >= limit) pairs.push({ first: first.entry, second: second.entry, similarity });
    }
  });
  return pairs;
}
