import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * The entity manager for long reads: on DATABASE_READ_URL if it is set. To be injected: `constructor(private readonly
 * replica: ReadReplica)`.
 */
// The class is the injection token; the interface of the same name describes the value.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class ReadReplica {}
export interface ReadReplica extends Pick<EntityManager, 'fork'> {}
