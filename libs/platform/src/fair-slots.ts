/** No slot is available to this owner, and none became available in time. */
export class NoFreeSlot extends Error {}

/** Who shares slots with others: an organization by its id, or a client by its address. */
export type SlotOwner = number | string;

export interface FairSlotsOptions {
  /** The total number of slots, or of bytes. */
  readonly slots: number;
  /** How long to wait for a slot. */
  readonly waitMilliseconds: number;
  /** How many requests of one owner may wait; further ones are rejected at once. */
  readonly queueLength: number;
}

/** Releases a slot; further calls do nothing. */
export type Release = () => void;

interface WaitingRequest {
  readonly size: number;
  readonly start: () => void;
}

/**
 * Whether an owner that has used `used` may take `requested` more while `free` are free: it may never hold more than
 * was free before.
 */
export const isWithinShare = (used: number, requested: number, free: number): boolean => used + requested <= free;

/**
 * Slots that organizations share. An owner may take another slot only while it holds fewer than are free: one owner
 * alone gets half of them, two get a third each, and one slot is left for the next. A released slot goes to the waiting
 * owner that holds the fewest. See docs/adr/0026-fair-shares.md.
 *
 * A request may take several slots at once, such as one for each byte of its body.
 */
export class FairSlots {
  private readonly heldByOwner = new Map<SlotOwner, number>();
  /** Waiting requests by owner; the owner that has waited longest is first. */
  private readonly queues = new Map<SlotOwner, WaitingRequest[]>();
  private takenSlots = 0;

  constructor(private readonly options: FairSlotsOptions) {}

  /** Takes a slot without waiting. Throws `NoFreeSlot`. */
  acquireNow(owner: SlotOwner): Release {
    if (!this.hasSlotFor(owner)) throw new NoFreeSlot('This owner has no free slot.');
    return this.occupy(owner);
  }

  /** Takes slots, waiting for the owner's turn. Throws `NoFreeSlot` after the maximum wait. */
  async acquire(owner: SlotOwner, size = 1): Promise<Release> {
    if ((this.queues.get(owner)?.length ?? 0) >= this.options.queueLength)
      throw new NoFreeSlot('Too many requests of this owner are waiting.');
    return this.acquireWithin(owner, size, this.options.waitMilliseconds);
  }

  /** Takes a slot for work that has begun and can't be rejected any more, without a maximum wait. */
  acquireUnlimited(owner: SlotOwner): Promise<Release> {
    return this.acquireWithin(owner, 1);
  }

  private async acquireWithin(owner: SlotOwner, size: number, waitMilliseconds?: number): Promise<Release> {
    // A small request must not overtake the owner's own larger ones for ever.
    if (!this.queues.has(owner) && this.hasSlotFor(owner, size)) return this.occupy(owner, size);
    const queue = this.queues.get(owner) ?? [];
    this.queues.set(owner, queue);
    return new Promise((resolve, reject) => {
      const waiting: WaitingRequest = {
        size,
        start: () => {
          clearTimeout(timeout);
          resolve(this.occupy(owner, size));
        },
      };
      const giveUp = (): void => {
        this.dequeue(owner, waiting);
        reject(new NoFreeSlot('No slot became free in time.'));
        // What waited behind it may need less.
        this.startNext();
      };
      const timeout = waitMilliseconds === undefined ? undefined : setTimeout(giveUp, waitMilliseconds);
      queue.push(waiting);
    });
  }

  private hasSlotFor(owner: SlotOwner, size = 1): boolean {
    return isWithinShare(this.heldByOwner.get(owner) ?? 0, size, this.options.slots - this.takenSlots);
  }

  private occupy(owner: SlotOwner, size = 1): Release {
    this.takenSlots += size;
    this.heldByOwner.set(owner, (this.heldByOwner.get(owner) ?? 0) + size);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.takenSlots -= size;
      const left = (this.heldByOwner.get(owner) ?? 0) - size;
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
    while (this.queues.size) {
      const [owner] = [...this.queues.keys()].sort(
        (a, b) => (this.heldByOwner.get(a) ?? 0) - (this.heldByOwner.get(b) ?? 0),
      );
      const first = owner === undefined ? undefined : this.queues.get(owner)?.[0];
      if (owner === undefined || !first || !this.hasSlotFor(owner, first.size)) return;
      this.dequeue(owner, first);
      first.start();
    }
  }

  /** Removes a request from its queue, and moves the owner's queue to the end. */
  private dequeue(owner: SlotOwner, waiting: WaitingRequest): void {
    const rest = (this.queues.get(owner) ?? []).filter((other) => other !== waiting);
    this.queues.delete(owner);
    if (rest.length) this.queues.set(owner, rest);
  }
}
