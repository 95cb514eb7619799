/**
 * The advisory lock for refreshes: transactions that refresh projects share it, and `propagateLibraryChanges` waits for
 * them.
 */
export const REFRESH_RULE = 'the content of projects follows the library';
