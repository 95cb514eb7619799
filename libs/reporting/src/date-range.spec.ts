import { InvalidDate, resolveDateRange, startOf } from './date-range.js';

/** A Wednesday: 17:30:15.250 in Berlin, 11:30:15.250 in New York. */
const NOW = Date.UTC(2026, 3, 15, 15, 30, 15, 250);

const rangeOf = (range: string | readonly string[], zone = 'UTC', now = NOW): string =>
  resolveDateRange(range, zone, now).join(' to ');

/** From the start of one day to the end of another. */
const days = (first: string, last = first): string => `${first}T00:00:00.000 to ${last}T23:59:59.999`;

/** One moment. */
const at = (time: string): string => `${time} to ${time}`;

describe('A date range in words, on 15 April 2026 at 15:30:15.250', () => {
  it.each<[phrase: string, range: string]>([
    ['now', at('2026-04-15T15:30:15.250')],
    ['yesterday', days('2026-04-14')],
    ['today', days('2026-04-15')],
    ['tomorrow', days('2026-04-16')],
    // The current unit.
    ['this second', '2026-04-15T15:30:15.000 to 2026-04-15T15:30:15.999'],
    ['this minute', '2026-04-15T15:30:00.000 to 2026-04-15T15:30:59.999'],
    ['this hour', '2026-04-15T15:00:00.000 to 2026-04-15T15:59:59.999'],
    ['this day', days('2026-04-15')],
    ['this week', days('2026-04-13', '2026-04-19')],
    ['this month', days('2026-04-01', '2026-04-30')],
    ['this quarter', days('2026-04-01', '2026-06-30')],
    ['this year', days('2026-01-01', '2026-12-31')],
    // Whole units before the current one, which is not included.
    ['last second', '2026-04-15T15:30:14.000 to 2026-04-15T15:30:14.999'],
    ['last 90 minutes', '2026-04-15T14:00:00.000 to 2026-04-15T15:29:59.999'],
    ['last 16 hours', '2026-04-14T23:00:00.000 to 2026-04-15T14:59:59.999'],
    ['last day', days('2026-04-14')],
    ['last 1 day', days('2026-04-14')],
    ['last 7 days', days('2026-04-08', '2026-04-14')],
    ['last 30 days', days('2026-03-16', '2026-04-14')],
    ['last week', days('2026-04-06', '2026-04-12')],
    ['last 2 weeks', days('2026-03-30', '2026-04-12')],
    ['last month', days('2026-03-01', '2026-03-31')],
    ['last 2 months', days('2026-02-01', '2026-03-31')],
    ['last 4 months', days('2025-12-01', '2026-03-31')],
    ['last quarter', days('2026-01-01', '2026-03-31')],
    ['last 5 quarters', days('2025-01-01', '2026-03-31')],
    ['last year', days('2025-01-01', '2025-12-31')],
    ['last 3 years', days('2023-01-01', '2025-12-31')],
    // Whole units after the current one.
    ['next 2 hours', '2026-04-15T16:00:00.000 to 2026-04-15T17:59:59.999'],
    ['next day', days('2026-04-16')],
    ['next 7 days', days('2026-04-16', '2026-04-22')],
    ['next week', days('2026-04-20', '2026-04-26')],
    ['next 10 months', days('2026-05-01', '2027-02-28')],
    ['next quarter', days('2026-07-01', '2026-09-30')],
    ['next 2 years', days('2027-01-01', '2028-12-31')],
    // One unit.
    ['0 days ago', days('2026-04-15')],
    ['1 day ago', days('2026-04-14')],
    ['46 days ago', days('2026-02-28')],
    ['3 weeks ago', days('2026-03-23', '2026-03-29')],
    ['2 months ago', days('2026-02-01', '2026-02-28')],
    ['26 months ago', days('2024-02-01', '2024-02-29')],
    ['2 quarters ago', days('2025-10-01', '2025-12-31')],
    ['16 hours ago', '2026-04-14T23:00:00.000 to 2026-04-14T23:59:59.999'],
    ['1 day from now', days('2026-04-16')],
    ['2 weeks from now', days('2026-04-27', '2026-05-03')],
    ['9 months from now', days('2027-01-01', '2027-01-31')],
    ['1 year from now', days('2027-01-01', '2027-12-31')],
    // From the start of the first to the end of the last.
    ['from 7 days ago to now', '2026-04-08T00:00:00.000 to 2026-04-15T15:30:15.250'],
    ['from last 2 weeks to next 2 weeks', days('2026-03-30', '2026-05-03')],
    ['from 2026-01-31 to yesterday', days('2026-01-31', '2026-04-14')],
    ['from 2026-01-31 to 2026-02-01', days('2026-01-31', '2026-02-01')],
    ['  Last   7  DAYS ', days('2026-04-08', '2026-04-14')],
  ])('%j is %s', (phrase, range) => expect(rangeOf(phrase)).toBe(range));

  it('has weeks that begin on Monday, on each day of the week', () => {
    const weeks = Array.from({ length: 8 }, (_, day) =>
      rangeOf('this week', 'UTC', Date.UTC(2026, 3, 12 + day, 23, 59)),
    );
    expect(weeks).toEqual([
      days('2026-04-06', '2026-04-12'),
      ...Array.from({ length: 7 }, () => days('2026-04-13', '2026-04-19')),
    ]);
  });

  it('can cross the end of a year, and of February in a leap year', () => {
    const newYear = Date.UTC(2026, 0, 1);
    expect(rangeOf('yesterday', 'UTC', newYear)).toBe(days('2025-12-31'));
    expect(rangeOf('this week', 'UTC', newYear)).toBe(days('2025-12-29', '2026-01-04'));
    expect(rangeOf('last quarter', 'UTC', newYear)).toBe(days('2025-10-01', '2025-12-31'));
    expect(rangeOf('last month', 'UTC', newYear)).toBe(days('2025-12-01', '2025-12-31'));
    expect(rangeOf('yesterday', 'UTC', Date.UTC(2028, 2, 1))).toBe(days('2028-02-29'));
    expect(rangeOf('next month', 'UTC', Date.UTC(2028, 0, 31))).toBe(days('2028-02-01', '2028-02-29'));
  });

  it('is in the time zone of the query, which may have another date', () => {
    const evening = Date.UTC(2026, 11, 31, 22, 30);
    expect(rangeOf('today', 'UTC', evening)).toBe(days('2026-12-31'));
    expect(rangeOf('today', 'America/New_York', evening)).toBe(days('2026-12-31'));
    expect(rangeOf('today', 'Asia/Tokyo', evening)).toBe(days('2027-01-01'));
    expect(rangeOf('last year', 'Asia/Tokyo', evening)).toBe(days('2026-01-01', '2026-12-31'));
    expect(rangeOf('now', 'Asia/Kathmandu', evening)).toBe(at('2027-01-01T04:15:00.000'));
    expect(rangeOf('this hour', 'Asia/Kathmandu', evening)).toBe('2027-01-01T04:00:00.000 to 2027-01-01T04:59:59.999');
  });
});

describe('A date range with dates', () => {
  const RANGES: readonly (readonly [range: string | readonly string[], resolved: string, zone?: string])[] = [
    ['2026-04-15', days('2026-04-15')],
    ['2028-02-29', days('2028-02-29')],
    [' 2026-04-15 ', days('2026-04-15')],
    [['2026-04-15'], days('2026-04-15')],
    [['2026-01-31', '2026-04-15'], days('2026-01-31', '2026-04-15')],
    [['yesterday', 'next 2 days'], days('2026-04-14', '2026-04-17')],
    [['2026-04-15T08:00', '2026-04-15'], '2026-04-15T08:00:00.000 to 2026-04-15T23:59:59.999'],
    // Without an offset, a time is local.
    ['2026-04-15T08:09', at('2026-04-15T08:09:00.000'), 'America/New_York'],
    ['2026-04-15 08:09:10', at('2026-04-15T08:09:10.000'), 'America/New_York'],
    ['2026-04-15T08:09:10.1', at('2026-04-15T08:09:10.100')],
    ['2026-04-15T08:09:10.012', at('2026-04-15T08:09:10.012')],
    ['2026-04-15T08:09:10.123999', at('2026-04-15T08:09:10.123')],
    // With one, it is converted.
    ['2026-04-15T08:00Z', at('2026-04-15T08:00:00.000')],
    ['2026-04-15t08:00:00.5z', at('2026-04-15T08:00:00.500')],
    ['2026-04-15T08:00Z', at('2026-04-15T04:00:00.000'), 'America/New_York'],
    ['2026-04-15T08:00+02:00', at('2026-04-15T06:00:00.000')],
    ['2026-04-15T08:00-02:00', at('2026-04-15T10:00:00.000')],
    ['2026-04-15T01:00+05:45', at('2026-04-14T19:15:00.000')],
    ['2026-04-15T23:00-0330', at('2026-04-16T02:30:00.000')],
    ['2026-04-15T08:00 +0000', at('2026-04-15T08:00:00.000')],
    ['2026-04-15T08:00+02:00', at('2026-04-15T15:00:00.000'), 'Asia/Tokyo'],
    // The same moment one day before and after clocks change in Berlin.
    ['2026-03-28T08:00Z', at('2026-03-28T09:00:00.000'), 'Europe/Berlin'],
    ['2026-03-30T08:00Z', at('2026-03-30T10:00:00.000'), 'Europe/Berlin'],
  ];

  it.each(RANGES.map(([range, resolved, zone = 'UTC']) => ({ range, resolved, zone })))(
    '$range is $resolved in $zone',
    ({ range, resolved, zone }) => expect(rangeOf(range, zone)).toBe(resolved),
  );

  it.each([
    '',
    'soon',
    'this 2 days',
    'last 0 days',
    'last 10001 days',
    'last -1 days',
    '10001 days ago',
    'days ago',
    'last 7 fortnights',
    '7 days',
    'last 7 days ago',
    'from today',
    'from today to',
    'from soon to today',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-4-15',
    '26-04-15',
    '0999-12-31',
    '2026-04-15T24:00',
    '2026-04-15T08:60',
    '2026-04-15T08:00:60',
    '2026-04-15T08',
    '2026-04-15T08:00+2',
    '10000 years ago',
    '10000 years from now',
    'constructor',
    'toString',
  ])('is rejected if it is %j', (range) => expect(() => rangeOf(range)).toThrow(InvalidDate));

  it('is rejected if it ends before it begins, but not if it is one moment', () => {
    expect(() => rangeOf(['2026-04-15', '2026-04-14'])).toThrow('A date range must begin before it ends.');
    expect(() => rangeOf('from today to yesterday')).toThrow('A date range must begin before it ends.');
    expect(() => rangeOf(['2026-04-15T08:00:00.001', '2026-04-15T08:00'])).toThrow(InvalidDate);
    expect(rangeOf(['2026-04-15T08:00', '2026-04-15T08:00'])).toBe(at('2026-04-15T08:00:00.000'));
  });
});

describe('The start of a unit of time', () => {
  it.each([
    ['second', '2026-04-15T15:30:15.000Z', '2026-04-15T15:30:12.000Z'],
    ['minute', '2026-04-15T15:30:00.000Z', '2026-04-15T15:27:00.000Z'],
    ['hour', '2026-04-15T15:00:00.000Z', '2026-04-15T12:00:00.000Z'],
    ['day', '2026-04-15T00:00:00.000Z', '2026-04-12T00:00:00.000Z'],
    ['week', '2026-04-13T00:00:00.000Z', '2026-03-23T00:00:00.000Z'],
    ['month', '2026-04-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['quarter', '2026-04-01T00:00:00.000Z', '2025-07-01T00:00:00.000Z'],
    ['year', '2026-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
  ] as const)('of a %s is %s, and three before is %s', (unit, start, earlier) => {
    const startIn = (local: number, steps?: number) => new Date(startOf(local, unit, steps)).toISOString();
    expect(startIn(NOW)).toBe(start);
    expect(startIn(NOW, -3)).toBe(earlier);
    // The start belongs to its unit, and the millisecond before it to the previous one.
    expect(startIn(Date.parse(start))).toBe(start);
    expect(startIn(Date.parse(start) - 1, 1)).toBe(start);
    // The same before 1970.
    const early = startOf(Date.UTC(1969, 6, 20, 20, 17, 40, 5), unit);
    expect([startOf(early, unit), startOf(early - 1, unit, 1)]).toEqual([early, early]);
  });
});
