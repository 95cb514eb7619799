import { sql } from 'kysely';

/** The status, as SQL has it, of a countermeasure of a project that is done. */
export const COMPLETE = sql.lit(1);

/** The status, as SQL has it, of a countermeasure of a project that no one has marked. */
export const INCOMPLETE = sql.lit(2);
