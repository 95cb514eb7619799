import { InvalidValue } from './errors.js';
import { escapeLike, parseBoolean, parseTimestamp } from './values.js';

describe('A time in a query parameter', () => {
  it.each([
    ['2026-03-04T15:43:51.615743+00:00', '2026-03-04 15:43:51.615743+00:00'],
    ['2026-03-04T15:43:51.615Z', '2026-03-04 15:43:51.615+00:00'],
    ['2026-03-04T15:43:51z', '2026-03-04 15:43:51.0+00:00'],
    ['2026-03-04 15:43', '2026-03-04 15:43:00.0'],
    ['2026-03-04', '2026-03-04 00:00:00.0'],
    ['2024-02-29', '2024-02-29 00:00:00.0'],
    ['2026-03-04T15:43:51-0530', '2026-03-04 15:43:51.0-05:30'],
    ['2026-03-04T15:43:51-05', '2026-03-04 15:43:51.0-05:00'],
    ['2026-03-04T15:43:51+00', '2026-03-04 15:43:51.0+00:00'],
    ['2026-03-04T15:43:51,5Z', '2026-03-04 15:43:51.5+00:00'],
    ['2026-03-04T15:43:51 05:30', '2026-03-04 15:43:51.0+05:30'],
    ['2026-03-04T15:43:51.6157439999Z', '2026-03-04 15:43:51.615743+00:00'],
    ['9999-12-31', '9999-12-31 00:00:00.0'],
    ['9999-12-31T23:59:59Z', '9999-12-31 23:59:59.0+00:00'],
    ['0001-01-01T00:00:00-05:00', '0001-01-01 00:00:00.0-05:00'],
  ])('%s is read to the microsecond', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026',
    '2026-3-4',
    '2026-02-29',
    '2026-13-01',
    '2026-03-04T24:00',
    '2026-03-04T15:60',
    '2026-03-04T15:43:60',
    '2026-03-04T15:43:51+16:00',
    '2026-03-04 05',
    '2026-03-04-05',
    '2026-03-04T15:43:51+16',
    '2026-03-04T15:43:51+5',
    '2026-03-04T15:43:51+00:60',
    '0000-01-01',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '-2026-01-01',
    '2026-03-04T',
    ' 2026-03-04',
  ])('"%s" is not a valid time', (text) => {
    expect(() => parseTimestamp(text)).toThrow(InvalidValue);
  });
});

describe('A boolean in a query parameter', () => {
  it.each(['true', 'True', 'TRUE', '1'])('%s is true', (text) => expect(parseBoolean(text)).toBe(true));
  it.each(['false', 'False', 'FALSE', '0'])('%s is false', (text) => expect(parseBoolean(text)).toBe(false));
  it.each(['', 'yes', 'on', '2', ' true', 'truefalse'])('"%s" is not a valid boolean', (text) =>
    expect(() => parseBoolean(text)).toThrow(InvalidValue),
  );
});

describe('A text in a LIKE pattern', () => {
  it('has its wildcards and backslashes escaped', () => {
    expect(escapeLike('100%_\\')).toBe('100\\%\\_\\\\');
  });
});
