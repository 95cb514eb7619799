import { insecureCookieWarning } from './session-cookie.js';

const warningAt = (host: string, publicUrl?: string): string | undefined =>
  insecureCookieWarning({ host, port: 3000, publicUrl });

describe('The warning about cookies without encryption', () => {
  it.each([
    ['0.0.0.0', undefined],
    ['::', undefined],
    ['192.0.2.7', undefined],
    ['127.0.0.1', 'http://merlon.example.com'],
  ])('appears if the service is reached from other machines over plain HTTP: %s, %s', (host, publicUrl) => {
    expect(warningAt(host, publicUrl)).toContain('PUBLIC_URL');
  });

  it.each([
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['localhost', undefined],
    ['0.0.0.0', 'https://merlon.example.com'],
    ['0.0.0.0', 'http://[::1]:8080'],
    ['0.0.0.0', 'http://localhost:8080'],
  ])('does not appear on a loopback address or over HTTPS: %s, %s', (host, publicUrl) => {
    expect(warningAt(host, publicUrl)).toBeUndefined();
  });
});
