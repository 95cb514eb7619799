/** Code points of the name of a view, and of the page that it belongs to. */
export const MAX_VIEW_NAME_LENGTH = 200;

/** Bytes of the query of a view as JSON. */
export const MAX_VIEW_QUERY_BYTES = 16_384;

/** Views of one user. */
export const MAX_VIEWS = 200;
