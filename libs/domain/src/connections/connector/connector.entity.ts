import { defineEntity, p } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A connection to a verification tool or an issue tracker: docs/integrate/connections.md. */
export const Connector = defineEntity({
  name: 'Connector',
  tableName: 'connector',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    kind: p.enum(['analysis', 'issue_tracker'] as const),
    name: p.text(),
    system: p.text(),
    /** As API responses show them: each secret is masked. */
    params: p.json<object>(),
    /** The secrets by name, as encrypted JSON: see SecretBox. */
    sealedSecrets: p.text(),
    inaccessible: p.boolean().default(false),
  },
  indexes: [{ name: 'connector_list', properties: ['organizationId', 'kind', 'id'] }],
});
