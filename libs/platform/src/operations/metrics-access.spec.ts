import { metricsAccessError } from './metrics-access.js';

const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ headers: { host: 'localhost:3000', ...headers }, socket: { remoteAddress } }) as unknown as Parameters<
    typeof metricsAccessError
  >[0];

describe('Metrics without METRICS_TOKEN', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('are available to the address %s', (address) => {
    expect(metricsAccessError(from(address), undefined)).toBeUndefined();
  });

  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::11', '2001:db8::1', '0.0.0.0', ''])(
    'are hidden from the address "%s"',
    (address) => {
      expect(metricsAccessError(from(address), undefined)).toBe('hidden');
    },
  );

  it.each(['localhost', 'LOCALHOST:3001', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'are available under the host %s',
    (host) => {
      expect(metricsAccessError(from('127.0.0.1', { host }), undefined)).toBeUndefined();
    },
  );

  it.each([
    'attacker.example',
    'attacker.example:3000',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'attacker.example:3000@localhost',
    'localhost:3000, attacker.example',
    '[::1',
    '192.0.2.1',
    '',
  ])('are hidden under the host "%s"', (host) => {
    expect(metricsAccessError(from('127.0.0.1', { host }), undefined)).toBe('hidden');
  });

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'are hidden from requests with the header %s',
    (header) => {
      expect(metricsAccessError(from('127.0.0.1', { [header]: '127.0.0.1' }), undefined)).toBe('hidden');
    },
  );
});

describe('Metrics with METRICS_TOKEN', () => {
  const token = 'm'.repeat(16);

  it.each(['Bearer', 'bearer', 'Token', 'TOKEN'])(
    'are available from any address with the token in the scheme %s',
    (scheme) => {
      expect(metricsAccessError(from('192.0.2.1', { authorization: `${scheme} ${token}` }), token)).toBeUndefined();
    },
  );

  it.each([
    [undefined, 'no token'],
    ['Bearer', 'no token'],
    [`Basic ${token}`, 'no token'],
    [token, 'no token'],
    [`Bearer ${token}x`, 'wrong token'],
    [`Bearer ${token.slice(1)}`, 'wrong token'],
  ])('are denied with the authorization %s, even from the same machine', (authorization, rejection) => {
    expect(metricsAccessError(from('127.0.0.1', authorization === undefined ? {} : { authorization }), token)).toBe(
      rejection,
    );
  });
});
