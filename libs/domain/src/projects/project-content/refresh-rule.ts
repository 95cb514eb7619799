/**
 * Whoever works out projects of an organization shares this rule; who tells projects of a library change waits for it.
 * See `spreadLibraryChanges`.
 */
export const REFRESH_RULE = 'the content of projects follows the library';
