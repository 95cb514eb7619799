/** No slot is available to this owner, and none became available in time. */
export class NoPlace extends Error {}

export interface FairPlacesOptions {
  /** The total number of slots. */
  readonly places: number;
  /** How long to wait for a slot. */
  readonly waitMilliseconds: number;
  /** How many requests of one owner may wait; further ones are rejected at once. */
  readonly queueLength: number;
}

/** Releases a slot; further calls do nothing. */
export type Release = () => void;

interface Waiting {
  readonly start: () => void;
}

/**
 * Whether an owner that holds `held` may take `wanted` more while `free` are free: it may never hold more than remain
 * free.
 */
export const isWithinShare = (held: number, wanted: number, free: number): boolean => held + wanted <= free;

/**
 * Slots that organizations share. An owner may take another slot only while it holds fewer than are free: one owner
 * alone gets half of them, two get a third each, and one slot is left for the next. A released slot goes to the waiting
 * owner that holds the fewest. See docs/adr/0026-fair-shares.md.
 */
export class FairPlaces {
  private readonly held = new Map<number, number>();
  /** Waiting requests by owner; the owner that has waited longest is first. */
  private readonly queues = new Map<number, Waiting[]>();
  private taken = 0;

  constructor(private readonly options: FairPlacesOptions) {}

  /** Takes a slot without waiting. Throws `NoPlace`. */
  takeNow(owner: number): Release {
    if (!this.hasPlaceFor(owner)) throw new NoPlace('All places that this organization may take are taken.');
    return this.occupy(owner);
  }

  /** Takes a slot, waiting for the owner's turn. Throws `NoPlace` after the maximum wait. */
  async take(owner: number): Promise<Release> {
    if ((this.queues.get(owner)?.length ?? 0) >= this.options.queueLength)
      throw new NoPlace('Too many requests of this organization wait.');
    return this.takeWithin(owner, this.options.waitMilliseconds);
  }

  /** Takes a slot for work that has begun and can't be rejected any more, without a maximum wait. */
  takeAgain(owner: number): Promise<Release> {
    return this.takeWithin(owner);
  }

  private async takeWithin(owner: number, waitMilliseconds?: number): Promise<Release> {
    if (this.hasPlaceFor(owner)) return this.occupy(owner);
    const queue = this.queues.get(owner) ?? [];
    this.queues.set(owner, queue);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          clearTimeout(late);
          resolve(this.occupy(owner));
        },
      };
      const giveUp = (): void => {
        this.leave(owner, waiting);
        reject(new NoPlace('No place became free in time.'));
      };
      const late = waitMilliseconds === undefined ? undefined : setTimeout(giveUp, waitMilliseconds);
      queue.push(waiting);
    });
  }

  private hasPlaceFor(owner: number): boolean {
    return isWithinShare(this.held.get(owner) ?? 0, 1, this.options.places - this.taken);
  }

  private occupy(owner: number): Release {
    this.taken += 1;
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.taken -= 1;
      const left = (this.held.get(owner) ?? 0) - 1;
      if (left) this.held.set(owner, left);
      else this.held.delete(owner);
      this.startNext();
    };
  }

  /**
   * Assigns free slots to waiting requests: to the owner with the fewest slots and, among several, the one that has
   * waited longest.
   */
  private startNext(): void {
    for (;;) {
      const [owner] = [...this.queues.keys()].sort((a, b) => (this.held.get(a) ?? 0) - (this.held.get(b) ?? 0));
      if (owner === undefined || !this.hasPlaceFor(owner)) return;
      const first = this.queues.get(owner)?.[0];
      if (!first) throw new Error('A queue is never empty.');
      this.leave(owner, first);
      first.start();
    }
  }

  /** Removes a request from its queue, and moves the owner's queue to the end. */
  private leave(owner: number, waiting: Waiting): void {
    const rest = (this.queues.get(owner) ?? []).filter((other) => other !== waiting);
    this.queues.delete(owner);
    if (rest.length) this.queues.set(owner, rest);
  }
}
