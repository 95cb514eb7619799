import { sql } from 'kysely';
import { InvalidValue } from '#query/errors.js';
import type { Sql } from '#query/query-context.js';

const MAX_WORDS = 32;
const MAX_CHARACTERS = 500;

interface SearchWords {
  /** Words that match anywhere, in any inflected form. */
  readonly words: readonly string[];
  /** Quoted phrases, whose words must be adjacent. */
  readonly phrases: readonly string[];
  /** The last word if it is not quoted, since the user may still be typing it. */
  readonly prefix?: string;
}

/** Parses a search. Throws `InvalidValue` if it is too long. */
export function parseSearch(text: string): SearchWords {
  const parts = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)];
  if ([...text].length > MAX_CHARACTERS)
    throw new InvalidValue(`Ensure this has no more than ${MAX_CHARACTERS} characters.`);
  if (parts.length > MAX_WORDS) throw new InvalidValue(`Ensure this has no more than ${MAX_WORDS} words.`);
  const phrases = parts.flatMap(([, phrase]) => phrase ?? []);
  const words = parts.flatMap(([part, phrase]) => (phrase === undefined ? part : []));
  return parts.at(-1)?.[1] === undefined
    ? { words: words.slice(0, -1), phrases, ...(words.length && { prefix: words.at(-1) }) }
    : { words, phrases };
}

/** A PostgreSQL `tsquery` for each part of the search. */
export const searchParts = ({ words, phrases, prefix }: SearchWords): Sql[] => [
  ...words.map((word) => sql`plainto_tsquery('english', search_text(${word}))`),
  ...phrases.map((phrase) => sql`phraseto_tsquery('english', search_text(${phrase}))`),
  ...(prefix === undefined ? [] : [sql`search_prefix(${prefix})`]),
];

/** The PostgreSQL `tsquery` that requires all parts. */
export function searchQuery(searched: SearchWords): Sql {
  const parts = searchParts(searched);
  return parts.length ? sql`(${sql.join(parts, sql` && `)})` : sql`''::tsquery`;
}
