import { type RawBuilder, sql } from 'kysely';
import { type Frequency, INTERVAL_SECONDS } from './tracker-connection.rules.js';

const after = (seconds: number): RawBuilder<string> => sql<string>`now() + make_interval(secs => ${sql.lit(seconds)})`;

/** When a connection is due again, counted from now; null if only a request starts a run. */
export const nextRun = (frequency: Frequency): RawBuilder<string> | null =>
  frequency === 'manually' ? null : after(INTERVAL_SECONDS[frequency]);

/** The same for a row of a table of connections. */
export const nextRunOf = (alias: string): RawBuilder<string | null> => {
  const branches = Object.entries(INTERVAL_SECONDS).map(
    ([frequency, seconds]) => sql`WHEN ${sql.lit(frequency)} THEN ${after(seconds)}`,
  );
  return sql<string | null>`CASE ${sql.ref(`${alias}.frequency`)} ${sql.join(branches, sql` `)} END`;
};
