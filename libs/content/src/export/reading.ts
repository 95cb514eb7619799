import type { Reading } from '#query/reading.js';

/**
 * What an export reads: all that the organization sees, with its own versions, as the API shows it without expansions.
 *
 * @param flags that are on in the organization: some change what fields hold
 */
export const readingOf = (organization: number, flags: ReadonlySet<string>): Reading => ({
  organization,
  user: 0,
  flags,
  may: () => false,
  within: '',
  path: [],
  originals: false,
  includes: new Set(),
  expands: new Set(),
  filtered: new Map(),
  origin: '',
});
