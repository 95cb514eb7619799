import { InvalidValue } from './errors.js';
import type { Facets } from './projection.js';
import { FACETS } from './route-scope.js';

/** The facet whose values are searched, and the words that each of them must contain. */
export interface FacetSearch {
  readonly facet: string;
  readonly words: readonly string[];
}

/** Each word makes the database inspect every row once more, so their number is limited. */
const MAX_WORDS = 32;

/** No label of a facet is longer. */
const MAX_FACET_SEARCH = 255;

/** The different words of a search. */
export function parseWords(text = ''): string[] {
  const words = [...new Set(text.split(/\s+/))].filter((word) => word !== '');
  if (words.length > MAX_WORDS) throw new InvalidValue(`Ensure this has no more than ${MAX_WORDS} words.`);
  return words;
}

/** Parses `tag:words`, which values of a facet a list shows. */
export const facetSearchParser =
  (facets: Facets, includes: ReadonlySet<string>) =>
  ([text]: readonly string[]): FacetSearch | undefined => {
    if (text === undefined) return undefined;
    if (!includes.has(FACETS))
      throw new InvalidValue(`Add \`include=${FACETS}\`: this searches the values of a facet.`);
    const [, facet = '', words = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    if (!Object.hasOwn(facets, facet))
      throw new InvalidValue(`Write \`facet:words\`. Facets: ${Object.keys(facets).join(', ')}.`);
    if (words.length > MAX_FACET_SEARCH)
      throw new InvalidValue(`Ensure the words have no more than ${MAX_FACET_SEARCH} characters.`);
    return { facet, words: parseWords(words) };
  };
