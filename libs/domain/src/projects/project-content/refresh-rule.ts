/** The lock that refreshes of projects share. `propagateLibraryChanges` waits for it. */
export const REFRESH_RULE = 'the content of projects follows the library';
