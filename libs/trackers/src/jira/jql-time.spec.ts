import { jqlTime } from './jql-time.js';

describe('A time in JQL', () => {
  it.each([
    ['2026-07-01T10:20:30Z', 'Europe/Berlin', '2026-07-01 12:20'],
    ['2026-01-01T23:59:59Z', 'Asia/Tokyo', '2026-01-02 08:59'],
    // The clocks go back at 01:00 UTC, so that 02:30 happens twice.
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25 00:30'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
    ['2026-01-01T12:00:00Z', undefined, '2026-01-01 00:00'],
    ['2026-01-01T12:00:00Z', 'Nowhere/Nothing', '2026-01-01 00:00'],
  ])('of %s in the zone %s is %s', (time, zone, text) => expect(jqlTime(new Date(time), zone)).toBe(text));
});
