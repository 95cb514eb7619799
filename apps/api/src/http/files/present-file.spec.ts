import { processorSeconds } from '#test/support/processor-time.js';

import { rangeOf } from './present-file.js';

describe('A Range header', () => {
  it.each([
    ['bytes=0-1', { start: 0, end: 1 }],
    ['BYTES= 2 - 5 ', { start: 2, end: 5 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
  ])('requests a single range: %s', (header, range) => expect(rangeOf(header, 100)).toEqual(range));

  it.each([undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'bytes=1 2-3', 'bytes=a-b', 'lines=0-1'])(
    'requests the whole file if it is not a single range of bytes: %s',
    (header) => expect(rangeOf(header, 100)).toBeUndefined(),
  );

  it('is parsed quickly even if it contains 60,000 spaces', () => {
    const blanks = ' '.repeat(60_000);
    for (const header of [`bytes=${blanks}x`, `bytes=1${blanks}-${blanks}x`])
      expect(processorSeconds(() => rangeOf(header, 100))).toBeLessThan(0.1);
  });
});
