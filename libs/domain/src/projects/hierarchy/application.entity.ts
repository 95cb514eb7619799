import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, textList, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { searchDocument } from '../../kernel/schema/search-document.js';
import { APPLICATION_PRIORITIES } from './hierarchy.fields.js';

/** A piece of software, owned by one business unit, that projects work on. */
export const Application = defineEntity({
  name: 'Application',
  tableName: 'application',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    businessUnitId: references('business_unit'),
    name: p.text(),
    slug: p.text(),
    description: p.text().default(''),
    priority: p.enum(APPLICATION_PRIORITIES).default('0-none'),
    tags: textList(),
    customAttributes: p.json<object>().defaultRaw("'{}'"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    document: searchDocument('application'),
  },
  indexes: [
    { name: 'application_list', properties: ['organizationId', 'id'] },
    uniqueIndex('application_name', 'application (business_unit_id, lower(name))'),
    uniqueIndex('application_slug', 'application (business_unit_id, slug)'),
  ],
});

export type Application = InferEntity<typeof Application>;
