import type { QueryContext } from '#query/query-context.js';
import { queryContextOf } from '#query/statements.js';

/**
 * The query context of exports and imports: everything that the organization can see, with its customizations, as the
 * API shows it without expands.
 *
 * @param flags that are on in the organization: some change the content of fields
 */
export const organizationContext = (organizationId: number, flags: ReadonlySet<string>): QueryContext =>
  queryContextOf({ id: 0, organizationId, flags }, undefined, '');
