import type { QueryContext } from '#query/query-context.js';
import { queryContextOf } from '#query/statements.js';

/**
 * What exports read, and imports hold rows against: all that the organization sees, with its own versions, as the API
 * shows it without expansions.
 *
 * @param flags that are on in the organization: some change what fields hold
 */
export const organizationReading = (organizationId: number, flags: ReadonlySet<string>): QueryContext =>
  queryContextOf({ id: 0, organizationId, flags }, undefined, '');
