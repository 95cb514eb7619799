import { retryAfterSeconds } from '#platform/outbound/retry-after.js';
import { errorOf, decideAfterAttempt } from './delivery.policy.js';

const SCHEDULE = { retrySeconds: [5, 30, 120, 600, 3600, 21_600, 43_200] };
const now = new Date('2026-03-04T15:43:51Z');
const after = (status: number, { failures = 0, random = 0.5, retryAfter = '' } = {}) =>
  decideAfterAttempt({ status, text: '', ...(retryAfter && { retryAfter }) }, failures, SCHEDULE, { now, random });
const later = (seconds: number) => ({ verdict: 'retry', seconds, advancesSchedule: true, pausesQueue: false });

describe('A delivery after an attempt', () => {
  it.each([200, 201, 202, 204, 299])('is delivered if the status code is %i', (status) =>
    expect(after(status)).toEqual({ verdict: 'delivered' }),
  );

  it.each([400, 403, 404, 410])('fails without a retry if the status code is %i', (status) =>
    expect(after(status)).toEqual({ verdict: 'failed' }),
  );

  it.each([100, 300, 301, 302, 307, 401, 402, 405, 408, 413, 418, 500, 502, 503, 504, 599])(
    'is retried if the status code is %i',
    (status) => expect(after(status)).toEqual(later(5)),
  );

  it('is retried after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 12 h, and then fails', () => {
    for (const [failures, seconds] of SCHEDULE.retrySeconds.entries())
      for (const verdict of [
        after(500, { failures }),
        decideAfterAttempt({ error: 'timeout' }, failures, SCHEDULE, { now, random: 0.5 }),
      ])
        expect(verdict).toEqual(later(seconds));
    expect(after(500, { failures: 7 })).toEqual({ verdict: 'failed' });
  });

  it('is retried up to 20 % earlier or later than scheduled', () => {
    expect(after(500, { failures: 2, random: 0 })).toEqual(later(96));
    expect(after(500, { failures: 2, random: 1 })).toEqual(later(144));
  });

  it('waits with its queue for the Retry-After of a 429, without advancing the schedule', () => {
    const verdict = { verdict: 'retry', seconds: 17, advancesSchedule: false, pausesQueue: true };
    expect(after(429, { retryAfter: '17', failures: 6 })).toEqual(verdict);
    expect(after(429, { retryAfter: 'Wed, 04 Mar 2026 15:44:08 GMT' })).toEqual(verdict);
    expect(after(429)).toEqual(later(5));
    expect(after(429, { retryAfter: 'soon' })).toEqual(later(5));
    expect(after(503, { retryAfter: '17' })).toEqual(later(5));
  });

  it('fails without a retry if the error is final', () =>
    expect(decideAfterAttempt({ error: 'x', final: true }, 0, SCHEDULE, { now, random: 0 })).toEqual({
      verdict: 'failed',
    }));
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    [' 5 ', 5],
    ['3600', 3600],
    ['99999999', 3600],
    ['Wed, 04 Mar 2026 15:43:41 GMT', 0],
    ['', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['12345678901', undefined],
    ['2026-03-04T15:44:08Z', undefined],
    [undefined, undefined],
  ])('%j means %j seconds', (text, seconds) => expect(retryAfterSeconds(text, now)).toBe(seconds));
});

describe('The error of a delivery', () => {
  it('contains the response of the service on one line, limited in length', () => {
    expect(errorOf({ status: 200, text: 'ok' })).toBeNull();
    expect(errorOf({ error: 'It did not respond in time.' })).toBe('It did not respond in time.');
    expect(errorOf({ status: 404, text: 'no_service' })).toBe('The receiver returned 404: no_service.');
    expect(errorOf({ status: 500, text: '' })).toBe('The receiver returned 500.');
    expect(errorOf({ status: 500, text: ' a\n\0\u0007 b\n' })).toBe('The receiver returned 500: a b.');
    expect(errorOf({ status: 500, text: 'x'.repeat(2000) })?.length).toBeLessThan(400);
    expect(errorOf({ status: 500, text: 'x'.repeat(300) })).toBe(`The receiver returned 500: ${'x'.repeat(300)}.`);
  });

  it.each([100, 199, 300, 404])('exists if the status code is %i', (status) =>
    expect(errorOf({ status, text: '' })).toBe(`The receiver returned ${status}.`),
  );

  it.each([200, 299])('is null if the status code is %i', (status) => expect(errorOf({ status, text: '' })).toBeNull());
});
