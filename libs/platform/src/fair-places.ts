/** No place is free for this owner, and none became free in time. */
export class NoPlace extends Error {}

export interface FairPlacesOptions {
  /** How many may be taken at once. */
  readonly places: number;
  /** How long to wait for one. */
  readonly waitMilliseconds: number;
  /** How many of one owner may wait; a further one is rejected at once. */
  readonly queueLength: number;
}

/** Gives a place back; further calls do nothing. */
export type Release = () => void;

interface Waiting {
  readonly start: () => void;
}

/**
 * Whether an owner that holds this much may take `wanted` more while so much is free: it never holds more than is left.
 */
export const isWithinShare = (held: number, wanted: number, free: number): boolean => held + wanted <= free;

/**
 * Places that organizations share. An owner may take another place only while it holds fewer than are free: one owner
 * alone gets half of them, two get a third each, and there is a place left for the next. Whoever holds least is next
 * when a place becomes free. See docs/adr/0026-fair-shares.md.
 */
export class FairPlaces {
  private readonly held = new Map<number, number>();
  /** Owners that wait, the one that waits longest first. */
  private readonly queues = new Map<number, Waiting[]>();
  private taken = 0;

  constructor(private readonly options: FairPlacesOptions) {}

  /** Takes a place at once. Throws `NoPlace`. */
  takeNow(owner: number): Release {
    if (!this.hasPlaceFor(owner)) throw new NoPlace('All places that this organization may take are taken.');
    return this.occupy(owner);
  }

  /** Takes a place, now or when it is the owner's turn. Throws `NoPlace` if that takes too long. */
  async take(owner: number): Promise<Release> {
    if ((this.queues.get(owner)?.length ?? 0) >= this.options.queueLength)
      throw new NoPlace('Too many requests of this organization wait.');
    return this.takeWithin(owner, this.options.waitMilliseconds);
  }

  /** Takes a place for work that has begun and can't be rejected any more, however long that takes. */
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
   * Gives free places to those who wait: to the owner with the fewest, and of several to the one that waits longest.
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

  /** Takes one out of its queue, and puts the owner's queue behind the others'. */
  private leave(owner: number, waiting: Waiting): void {
    const rest = (this.queues.get(owner) ?? []).filter((other) => other !== waiting);
    this.queues.delete(owner);
    if (rest.length) this.queues.set(owner, rest);
  }
}
