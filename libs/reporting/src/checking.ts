import type { QueryErrorCollector } from './query-error-collector.js';
import type { Member } from './model.js';

/** What the checks of a query share. */
export interface Checking {
  readonly errors: QueryErrorCollector;
  readonly timezone: string;
  readonly now: number;
  /** The member of a name, or undefined where it may not be named; that is noted. */
  readonly member: (name: unknown, key: string, path: string) => Member | undefined;
}
