import { FairSlots, NoFreeSlot, type Release, type SlotOwner } from './fair-slots.js';

const PATIENT = { waitMilliseconds: 60_000, queueLength: 100 };

/** Slots, with a record of who got one, in order. */
class Recorded {
  readonly order: SlotOwner[] = [];
  private readonly slots: FairSlots;
  private readonly held = new Map<SlotOwner, Release[]>();

  constructor(slots: number) {
    this.slots = new FairSlots({ ...PATIENT, slots });
  }

  /** Asks for slots in the name of these owners, in this order. */
  async request(...owners: readonly SlotOwner[]): Promise<void> {
    for (const owner of owners) void this.acquire(owner);
    await this.settled();
  }

  private async acquire(owner: SlotOwner): Promise<void> {
    const release = await this.slots.acquire(owner);
    this.order.push(owner);
    this.held.set(owner, [...(this.held.get(owner) ?? []), release]);
  }

  /** Releases one slot of an owner. */
  async release(owner: SlotOwner): Promise<void> {
    this.held.get(owner)?.shift()?.();
    await this.settled();
  }

  private settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

describe('A released slot', () => {
  it('goes to the waiting owner that holds the fewest slots, not to the one that has waited longest', async () => {
    const slots = new Recorded(8);
    await slots.request('a', 'a', 'b', 'c', 'c', 'c', 'd');
    await slots.request('a', 'b');
    expect(slots.order).toHaveLength(7);
    await slots.release('c');
    expect(slots.order.slice(7)).toEqual(['b']);
    await slots.release('c');
    await slots.release('c');
    expect(slots.order.slice(7)).toEqual(['b', 'a']);
  });

  it('goes to three waiting owners in rotation', async () => {
    const slots = new Recorded(2);
    await slots.request('first', 'second', 'a', 'a', 'b', 'b', 'c', 'c');
    expect(slots.order).toEqual(['first', 'second']);
    for (const owner of ['first', 'second', 'a', 'b', 'c', 'a']) await slots.release(owner);
    expect(slots.order.slice(2)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('counts once if it is released twice', async () => {
    const slots = new FairSlots({ ...PATIENT, slots: 2 });
    const release = await slots.acquire('a');
    release();
    release();
    await slots.acquire('a');
    expect(() => slots.acquireNow('b')).not.toThrow();
    expect(() => slots.acquireNow('c')).toThrow(NoFreeSlot);
  });
});

describe('An owner', () => {
  it.each([
    { owners: 1, slots: 8, share: 4 },
    { owners: 2, slots: 9, share: 3 },
    { owners: 3, slots: 8, share: 2 },
  ])('holds at most $share of $slots slots if $owners take as many as they can', ({ owners, slots, share }) => {
    const fair = new FairSlots({ ...PATIENT, slots });
    const held = Array.from({ length: owners }, () => 0);
    for (let round = 0; round < slots; round += 1)
      for (const owner of held.keys())
        try {
          fair.acquireNow(owner);
          held[owner] = (held[owner] ?? 0) + 1;
        } catch (error) {
          expect(error).toBeInstanceOf(NoFreeSlot);
        }
    expect(Math.max(...held)).toBe(share);
  });

  it('gets no slot after the maximum wait, nor if too many of its requests are waiting', async () => {
    const slots = new FairSlots({ slots: 2, waitMilliseconds: 20, queueLength: 1 });
    slots.acquireNow('a');
    const waiting = slots.acquire('a');
    await expect(slots.acquire('a')).rejects.toThrow(NoFreeSlot);
    await expect(waiting).rejects.toThrow(NoFreeSlot);
  });
});

describe('Slots of different sizes', () => {
  it('are shared by their total size', async () => {
    const slots = new FairSlots({ ...PATIENT, slots: 100, waitMilliseconds: 20 });
    await slots.acquire('a', 40);
    await expect(slots.acquire('a', 21)).rejects.toThrow(NoFreeSlot);
    await slots.acquire('a', 20);
    await expect(slots.acquire('a', 1)).rejects.toThrow(NoFreeSlot);
    await expect(slots.acquire('b', 41)).rejects.toThrow(NoFreeSlot);
    await slots.acquire('b', 40);
  });

  it('are taken in order, so that a large request does not wait for all later small ones', async () => {
    const slots = new FairSlots({ ...PATIENT, slots: 100 });
    const order: string[] = [];
    const release = await slots.acquire('a', 60);
    const large = slots.acquire('a', 45).then(() => order.push('large'));
    const small = slots.acquire('a', 1).then(() => order.push('small'));
    release();
    await Promise.all([large, small]);
    expect(order).toEqual(['large', 'small']);
  });

  it('become free for smaller requests when a larger one gives up', async () => {
    const slots = new FairSlots({ slots: 100, waitMilliseconds: 50, queueLength: 10 });
    await slots.acquire('a', 40);
    const large = slots.acquire('a', 60);
    const small = slots.acquire('a', 5);
    await expect(large).rejects.toThrow(NoFreeSlot);
    await expect(small).resolves.toEqual(expect.any(Function));
  });
});
