import type { QueryErrorCollector } from './query-error-collector.js';
import type { Member } from './model.js';

/** The context that all checks of one query share. */
export interface Checking {
  readonly errors: QueryErrorCollector;
  readonly timezone: string;
  readonly now: number;
  /** Finds a member by name. Returns undefined if the query may not name it, which is reported as an error. */
  readonly member: (name: unknown, key: string, path: string) => Member | undefined;
}
