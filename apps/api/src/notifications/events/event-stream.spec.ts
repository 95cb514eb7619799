import { mock } from 'node:test';
import { EventStream } from './event-stream.js';

describe('A stream of events that is not read', () => {
  const position = { at: 1, snapshot: '1:1:' };
  const event = { type: 'activity', data: { text: 'x'.repeat(1000) } } as never;

  it('is cut off, so that its memory is bounded', () => {
    const stream = new EventStream({ actor: { id: 1 } as never });
    for (let count = 0; count < 2000; count += 1) stream.send([event], position);
    expect([stream.source.destroyed, stream.source.readableLength < 1_100_000]).toEqual([true, true]);
  });

  it('gets a comment every 15 seconds', () => {
    let now = 0;
    const { mock: clock } = mock.method(performance, 'now', () => now);
    const stream = new EventStream({ actor: { id: 1 } as never });
    const received = (): string => String(stream.source.read() ?? '');
    const after = (milliseconds: number): string => {
      now = milliseconds;
      stream.send([], position);
      return received();
    };
    expect([after(14_900), after(15_000), after(29_000), after(30_000)]).toEqual([
      '',
      ': keep-alive\nid: 1~1:1:\n\n',
      '',
      ': keep-alive\nid: 1~1:1:\n\n',
    ]);
    clock.restore();
  });
});
