import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * For long reads, on DATABASE_READ_URL where there is one, to be injected: `constructor(private readonly replica:
 * ReadReplica)`.
 */
// The class is the injection token, the interface of the same name says what is behind it.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class ReadReplica {}
export interface ReadReplica extends Pick<EntityManager, 'fork'> {}
