/** The media type of lists as CSV. */
export const CSV = 'text/csv';

export const JSON_TYPE = 'application/json';
