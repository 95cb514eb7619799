/**
 * The MikroORM context of reads by key, for `@InjectEntityManager`. They share connections, over which their statements
 * are sent without waiting for each other: docs/adr/0080-reads-by-key-share-connections.md.
 */
export const KEY_READS = 'key-reads';

/** One serves all of them. The others are opened while it waits for a statement that takes long. */
export const KEY_READ_CONNECTIONS = 4;
