import { Injectable } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { FairSlots, type SlotOwner } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';

/** Connections of the pool that look up callers at once: few, because each lookup is short. */
const SLOTS = 8;
/** Maximum number of waiting lookups of one owner. */
const QUEUE_LENGTH = 400;

/**
 * Schedules the lookups that precede a request's own slot: who the caller is, and what their role is. They are shared
 * fairly among client addresses and organizations, so that unknown tokens can't occupy the connections of the pool.
 */
@Injectable()
export class AccessLookups {
  private readonly slots: FairSlots;

  constructor(
    private readonly em: EntityManager,
    { requestWaitSeconds }: Settings,
  ) {
    const waitMilliseconds = requestWaitSeconds * 1000;
    this.slots = new FairSlots({ slots: SLOTS, waitMilliseconds, queueLength: QUEUE_LENGTH });
  }

  /**
   * Runs a lookup when it is the owner's turn. Throws `NoFreeSlot` if too many are waiting.
   *
   * @param owner the client's address, or the caller's organization
   */
  async run<Result>(owner: SlotOwner, lookup: () => Promise<Result>): Promise<Result> {
    // A sub-request uses the connection of its composite request.
    if (this.em.isInTransaction()) return lookup();
    const release = await this.slots.acquire(owner);
    try {
      return await lookup();
    } finally {
      release();
    }
  }
}
