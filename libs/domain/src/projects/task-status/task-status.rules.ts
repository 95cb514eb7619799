import { sql } from 'kysely';

/** The status id of a completed countermeasure, in SQL. */
export const COMPLETE = sql.lit(1);

/** The status id of an open countermeasure, in SQL. */
export const INCOMPLETE = sql.lit(2);
