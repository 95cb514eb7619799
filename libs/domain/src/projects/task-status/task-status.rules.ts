import { sql } from 'kysely';

/** The status id of a completed countermeasure, in SQL. */
export const COMPLETE = sql.lit(1);

/** The status id of an open countermeasure, in SQL. */
export const INCOMPLETE = sql.lit(2);

/** The ids of the statuses. */
export const TASK_STATUSES = ['TS1', 'TS2', 'TS3'] as const;

/** The name and the slug of each status, which filters accept as well as its id. */
export const TASK_STATUS_NAMES: Readonly<Record<(typeof TASK_STATUSES)[number], readonly string[]>> = {
  TS1: ['Complete', 'complete'],
  TS2: ['Incomplete', 'incomplete'],
  TS3: ['Not Applicable', 'not-applicable'],
};
