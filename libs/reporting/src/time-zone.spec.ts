import { formatLocal, instantOf, localTimeOf } from './time-zone.js';

const utc = (text: string): number => Date.parse(`${text}Z`);

describe('The local time of an instant', () => {
  it.each([
    ['2026-04-15T15:30:15.250', 'UTC', '2026-04-15T15:30:15.250'],
    ['2026-04-15T15:30:15.250', 'Europe/Berlin', '2026-04-15T17:30:15.250'],
    ['2026-01-15T15:30:15.250', 'europe/berlin', '2026-01-15T16:30:15.250'],
    ['2026-04-15T00:15:00.000', 'America/St_Johns', '2026-04-14T21:45:00.000'],
    ['2026-12-31T23:30:00.000', 'Asia/Kathmandu', '2027-01-01T05:15:00.000'],
    ['1969-12-31T23:59:59.999', 'UTC', '1969-12-31T23:59:59.999'],
    ['2026-04-15T00:00:00.000', 'Europe/London', '2026-04-15T01:00:00.000'],
    ['2026-04-14T23:00:00.000', 'Europe/London', '2026-04-15T00:00:00.000'],
  ])('%s in %s is %s', (instant, zone, local) => expect(formatLocal(localTimeOf(utc(instant), zone))).toBe(local));
});

describe('The instant of a local time', () => {
  it.each([
    ['that occurs once', '2026-04-15T17:30:15.250', 'Europe/Berlin', ['2026-04-15T15:30:15.250']],
    ['just before a skipped hour', '2026-03-29T01:59:59.999', 'Europe/Berlin', ['2026-03-29T00:59:59.999']],
    ['in a skipped hour', '2026-03-29T02:30:00.000', 'Europe/Berlin', ['2026-03-29T01:30:00.000']],
    ['just after a skipped hour', '2026-03-29T03:00:00.000', 'Europe/Berlin', ['2026-03-29T01:00:00.000']],
    ['just before a repeated hour', '2026-10-25T01:59:59.999', 'Europe/Berlin', ['2026-10-24T23:59:59.999']],
    [
      'in a repeated hour',
      '2026-10-25T02:30:00.000',
      'Europe/Berlin',
      ['2026-10-25T00:30:00.000', '2026-10-25T01:30:00.000'],
    ],
    ['just after a repeated hour', '2026-10-25T03:00:00.000', 'Europe/Berlin', ['2026-10-25T02:00:00.000']],
    ['in a skipped hour of the west', '2026-03-08T02:30:00.000', 'America/New_York', ['2026-03-08T07:30:00.000']],
    [
      'in a repeated hour of the west',
      '2026-11-01T01:30:00.000',
      'America/New_York',
      ['2026-11-01T05:30:00.000', '2026-11-01T06:30:00.000'],
    ],
    [
      'in a repeated half hour',
      '2026-04-05T01:45:00.000',
      'Australia/Lord_Howe',
      ['2026-04-04T14:45:00.000', '2026-04-04T15:15:00.000'],
    ],
  ] as const)('%s: %s in %s', (_, local, zone, instants) => {
    const instantAt = (side: 'earliest' | 'latest') => formatLocal(instantOf(utc(local), zone, side));
    expect([instantAt('earliest'), instantAt('latest')]).toEqual([instants[0], instants.at(-1)]);
  });
});
