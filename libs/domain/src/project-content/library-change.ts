/** Keeps what a library change reaches together with what is being worked out meanwhile: see `spreadLibraryChanges`. */
export const REFRESH_RULE = 'the content of projects follows the library';
