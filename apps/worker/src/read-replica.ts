import type { EntityManager } from '@mikro-orm/postgresql';

/** Injection token of the entity manager for long reads: on DATABASE_READ_URL where there is one, else the usual one. */
export abstract class ReadReplica {}
export interface ReadReplica extends Pick<EntityManager, 'fork'> {}
