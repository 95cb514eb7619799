/** No slot is available to this owner, and none became available in time. */
export class NoFreeSlot extends Error {}

export interface FairSlotsOptions {
  /** The total number of slots. */
  readonly slots: number;
  /** How long to wait for a slot. */
  readonly waitMilliseconds: number;
  /** How many requests of one owner may wait; further ones are rejected at once. */
  readonly queueLength: number;
}

/** Releases a slot; further calls do nothing. */
export type Release = () => void;

interface WaitingRequest {
  readonly start: () => void;
}

/**
 * Whether an owner that holds `held` may take `wanted` more while `free` are free: it may never hold more than remain
 * free.
 */
export const isWithinShare = (used: number, requested: number, free: number): boolean => used + requested <= free;

/**
 * Slots that organizations share. An owner may take another slot only while it holds fewer than are free: one owner
 * alone gets half of them, two get a third each, and one slot is left for the next. A released slot goes to the waiting
 * owner that holds the fewest. See docs/adr/0026-fair-shares.md.
 */
export class FairSlots {
  private readonly heldByOwner = new Map<number, number>();
  /** Waiting requests by owner; the owner that has waited longest is first. */
  private readonly queues = new Map<number, WaitingRequest[]>();
  private takenSlots = 0;

  constructor(private readonly options: FairSlotsOptions) {}

  /** Takes a slot without waiting. Throws `NoFreeSlot`. */
  acquireNow(owner: number): Release {
    if (!this.hasSlotFor(owner)) throw new NoFreeSlot('This organization has no free slot.');
    return this.occupy(owner);
  }

  /** Takes a slot, waiting for the owner's turn. Throws `NoFreeSlot` after the maximum wait. */
  async acquire(owner: number): Promise<Release> {
    if ((this.queues.get(owner)?.length ?? 0) >= this.options.queueLength)
      throw new NoFreeSlot('Too many requests of this organization are waiting.');
    return this.acquireWithin(owner, this.options.waitMilliseconds);
  }

  /** Takes a slot for work that has begun and can't be rejected any more, without a maximum wait. */
  acquireUnlimited(owner: number): Promise<Release> {
    return this.acquireWithin(owner);
  }

  private async acquireWithin(owner: number, waitMilliseconds?: number): Promise<Release> {
    if (this.hasSlotFor(owner)) return this.occupy(owner);
    const queue = this.queues.get(owner) ?? [];
    this.queues.set(owner, queue);
    return new Promise((resolve, reject) => {
      const waiting: WaitingRequest = {
        start: () => {
          clearTimeout(timeout);
          resolve(this.occupy(owner));
        },
      };
      const giveUp = (): void => {
        this.dequeue(owner, waiting);
        reject(new NoFreeSlot('No slot became free in time.'));
      };
      const timeout = waitMilliseconds === undefined ? undefined : setTimeout(giveUp, waitMilliseconds);
      queue.push(waiting);
    });
  }

  private hasSlotFor(owner: number): boolean {
    return isWithinShare(this.heldByOwner.get(owner) ?? 0, 1, this.options.slots - this.takenSlots);
  }

  private occupy(owner: number): Release {
    this.takenSlots += 1;
    this.heldByOwner.set(owner, (this.heldByOwner.get(owner) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.takenSlots -= 1;
      const left = (this.heldByOwner.get(owner) ?? 0) - 1;
      if (left) this.heldByOwner.set(owner, left);
      else this.heldByOwner.delete(owner);
      this.startNext();
    };
  }

  /**
   * Assigns free slots to waiting requests: to the owner with the fewest slots and, among several, the one that has
   * waited longest.
   */
  private startNext(): void {
    for (;;) {
      const [owner] = [...this.queues.keys()].sort(
        (a, b) => (this.heldByOwner.get(a) ?? 0) - (this.heldByOwner.get(b) ?? 0),
      );
      if (owner === undefined || !this.hasSlotFor(owner)) return;
      const first = this.queues.get(owner)?.[0];
      if (!first) throw new Error('A queue is never empty.');
      this.dequeue(owner, first);
      first.start();
    }
  }

  /** Removes a request from its queue, and moves the owner's queue to the end. */
  private dequeue(owner: number, waiting: WaitingRequest): void {
    const rest = (this.queues.get(owner) ?? []).filter((other) => other !== waiting);
    this.queues.delete(owner);
    if (rest.length) this.queues.set(owner, rest);
  }
}
