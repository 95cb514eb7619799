import { defineEntity, p } from '@mikro-orm/core';
import { key, timestamp } from '../../kernel/schema/columns.js';

/** A release of the starter library that was loaded. */
export const LibraryRelease = defineEntity({
  name: 'LibraryRelease',
  tableName: 'library_release',
  properties: {
    digest: p.text().primary(),
    loadedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
});

/** A field of a built-in item that a release has changed. */
export const ReleaseChange = defineEntity({
  name: 'ReleaseChange',
  tableName: 'release_change',
  properties: {
    id: key(),
    kind: p.text(),
    /** Internal id of the item. It needs no foreign key, because originals are never deleted. */
    identity: p.bigint('number'),
    itemId: p.text(),
    title: p.text(),
    field: p.text(),
    fromValue: p.json<object>(),
    toValue: p.json<object>(),
    /** The revision of the original that contains this change. */
    revision: p.integer(),
    releasedAt: timestamp().defaultRaw('statement_timestamp()'),
  },
  indexes: [{ name: 'release_change_item', properties: ['kind', 'identity', 'field'] }],
});
