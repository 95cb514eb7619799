import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { startTestApi, useTestApi } from '#test/support/api.js';

const test = useTestApi({ TRUSTED_PROXIES: 'loopback' });

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: unknown;
}

/** Sends a raw GET that no HTTP client corrects. */
async function send(target: string, ...headers: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(test.origin);
  const socket = connect(Number(port), hostname);
  const lines = [`GET ${target} HTTP/1.1`, `Authorization: Token ${test.organization.admin.token}`, ...headers];
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as unknown };
}

const PAGE = '/api/v2/flags/?page_size=1';
const nextFrom = (origin: string) => ({ next: `${origin}${PAGE}&page=2` });

describe('Host and forwarding headers', () => {
  it.each(['good.example', 'good.example:8443', '192.0.2.1', '[2001:db8::1]:80'])(
    'uses the Host header in links: %s',
    async (host) => {
      const { status, body } = await send(PAGE, `Host: ${host}`);
      expect([status, body]).toEqual([200, expect.objectContaining(nextFrom(`http://${host.replace(/:80$/, '')}`))]);
    },
  );

  it.each(['http://good.example', 'HTTP://good.example:8080', 'https://other.example', 'ftp://good.example'])(
    'ignores the origin of an absolute URL in the request line: %s',
    async (origin) => {
      const { status, body } = await send(`${origin}${PAGE}`, 'Host: good.example');
      expect([status, body]).toEqual([200, expect.objectContaining(nextFrom('http://good.example'))]);
    },
  );

  it.each([
    ['a port out of range', 'Host: good.example:99999'],
    ['an invalid address', 'Host: 192.0.2.999'],
    ['a number', 'Host: 4294967296'],
    ['an invalid name', 'Host: a/b'],
    ['an empty header', 'Host:'],
    ['two Host headers', 'Host: good.example', 'Host: other.example'],
    ['the same host twice', 'Host: good.example', 'host: good.example'],
    ['two hosts in one header', 'Host: good.example, other.example'],
    ['an invalid X-Forwarded-Proto header', 'Host: good.example', 'X-Forwarded-Proto: javascript'],
  ])('returns 400 for %s', async (_, ...headers) => {
    const { status, body } = await send(PAGE, ...headers);
    expect([status, body]).toEqual([400, { detail: 'The Host or X-Forwarded-Host header is not valid.' }]);
  });

  it('uses the X-Forwarded-* headers of a trusted proxy in links', async () => {
    const { body } = await send(PAGE, 'Host: inner', 'X-Forwarded-Host: app.example', 'X-Forwarded-Proto: https');
    expect(body).toEqual(expect.objectContaining(nextFrom('https://app.example')));
  });

  it.each([
    ['without a Host header', 400],
    ['with an unsupported Expect header', 417, 'Host: good.example', 'Expect: foo'],
  ])('returns an error with the common format and headers for a request %s', async (_, expected, ...headers) => {
    const { status, head, body } = await send(PAGE, ...headers.map(String));
    expect([status, body]).toEqual([expected, { detail: expect.any(String) }]);
    for (const header of [/X-Request-Id: [\w-]{36}/i, /X-Content-Type-Options: nosniff/i, /Cache-Control: no-store/i])
      expect(head).toMatch(header);
  });
});

describe('Host headers with PUBLIC_URL', () => {
  const configured = useTestApi({ PUBLIC_URL: 'https://merlon.example' });
  const sent = (version: string, ...headers: readonly string[]): Promise<string> => {
    const socket = connect(Number(new URL(configured.origin).port), '127.0.0.1');
    socket.end([`GET /healthz HTTP/${version}`, ...headers, 'Connection: close', '', ''].join('\r\n'));
    return textOf(socket);
  };

  it.each([
    ['two Host headers', 'Host: good.example', 'Host: other.example'],
    ['no host', 'X-Test: 1'],
    ['an invalid host', 'Host: a/b'],
  ])('returns 400 for %s', async (_, ...headers) => {
    expect(await sent('1.1', ...headers)).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"detail":"[^"]+"\}$/);
  });

  it('accepts any valid host, and HTTP/1.0 without a host', async () => {
    expect(await sent('1.1', 'Host: inner:3000')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sent('1.0')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('The log line of a request', () => {
  it('contains the client address that a trusted proxy reports', async () => {
    const logging = await startTestApi({ TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'info' });
    try {
      await logging.api.with({ 'X-Forwarded-For': '203.0.113.9' }).get('/flags/');
      const lines = logging.log.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.filter(({ msg, address }) => msg === 'Request' && address === '203.0.113.9')).toMatchObject([
        { path: '/api/v2/flags/', status: 200, user: logging.organization.admin.id },
      ]);
    } finally {
      await logging.close();
    }
  });

  it('is missing for probes, of which there are several a minute, unless the level is debug', async () => {
    const pathsLogged = async (level: string): Promise<unknown[]> => {
      const logging = await startTestApi({ LOG_LEVEL: level });
      try {
        for (const path of ['/healthz', '/readyz', '/metrics', '/api/v2/flags/'])
          await logging.api.get(`${logging.origin}${path}`);
        return logging.log
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ msg }) => msg === 'Request')
          .map(({ path }) => path);
      } finally {
        await logging.close();
      }
    };
    expect(await pathsLogged('info')).not.toEqual(expect.arrayContaining([expect.stringMatching(/z$|^.metrics/)]));
    expect(await pathsLogged('debug')).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/metrics']));
  });
});
