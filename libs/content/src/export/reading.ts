import type { Reading } from '#query/projection.js';

/**
 * What an export reads: all that the organization sees, with its own versions, as the API shows it without expansions.
 *
 * @param flags that are on in the organization: some change what fields hold
 */
export function readingOf(organization: number, flags: ReadonlySet<string>): Reading {
  const reading = {
    organization,
    user: 0,
    flags,
    within: '',
    originals: false,
    includes: new Set<string>(),
    expands: new Set<string>(),
    filtered: new Map<string, readonly string[]>(),
    origin: '',
  };
  return reading;
}
