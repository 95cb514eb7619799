import { type RawServer, startRawServer } from '#test/support/raw-server.js';
import { type Receiver, startReceiver, trustReceivers } from '#test/support/receiver.js';
import { OutboundClient, type OutboundPolicy } from './outbound-client.js';

const SECRET = 'T000-B000-secret';
const POLICY: OutboundPolicy = {
  allowPrivate: true,
  schemes: ['https:'],
  timeoutMilliseconds: 1500,
  maximumResponseBytes: 1000,
};

describe('A request to another service', () => {
  let receiver: Receiver;
  let rawServer: RawServer | undefined;
  const send = (policy: Partial<OutboundPolicy> = {}, url = receiver.url(SECRET)) =>
    new OutboundClient({ ...POLICY, ...policy }).send({
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json', 'Webhook-Id': '7' },
      body: '{"text":"Über"}',
    });

  beforeAll(async () => {
    trustReceivers();
    receiver = await startReceiver();
  });
  beforeEach(() => receiver.answer(() => 200));
  afterEach(async () => {
    await rawServer?.stop();
    rawServer = undefined;
  });
  afterAll(() => receiver.stop());

  it('is sent unchanged and resolves to the response, even with an error status', async () => {
    receiver.answer(() => ({ status: 418, headers: { 'Retry-After': '7' }, text: 'no_service' }));
    expect(await send()).toMatchObject({
      status: 418,
      headers: { 'retry-after': '7' },
      text: 'no_service',
      truncated: false,
    });
    expect(receiver.received.at(-1)).toMatchObject({ method: 'POST', id: '7', text: '{"text":"Über"}' });
  });

  it.each(['PUT', 'PATCH'] as const)('may use the method %s', async (method) => {
    const client = new OutboundClient(POLICY);
    expect(await client.send({ method, url: receiver.url('x'), body: '{"a":1}' })).toMatchObject({ status: 200 });
    expect(receiver.at('x').at(-1)).toMatchObject({ method, text: '{"a":1}' });
  });

  it('does not follow redirects', async () => {
    receiver.answer(({ path }) =>
      path.endsWith('target') ? 200 : { status: 302, headers: { Location: receiver.url('target') } },
    );
    expect(await send()).toMatchObject({ status: 302 });
    expect(receiver.at('target')).toEqual([]);
  });

  it('truncates the response at the maximum size', async () => {
    receiver.answer(() => ({ status: 200, text: 'x'.repeat(5_000_000) }));
    const answer = await send({ timeoutMilliseconds: 30_000 });
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.text).toHaveLength(1000);
  });

  it('times out while it waits for a response or for DNS', async () => {
    receiver.answer(() => 'hang');
    const startedAt = performance.now();
    await expect(send({ timeoutMilliseconds: 300 })).rejects.toMatchObject({ reason: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    await expect(send({ timeoutMilliseconds: 300, resolve: () => new Promise(() => undefined) })).rejects.toMatchObject(
      {
        reason: 'timeout',
      },
    );
  });

  it('times out if the response arrives in small pieces', async () => {
    rawServer = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    const url = `http://127.0.0.1:${rawServer.port}/services/x`;
    await expect(send({ schemes: ['http:'], timeoutMilliseconds: 400 }, url)).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('can be aborted', async () => {
    receiver.answer(() => 'hang');
    const ending = new AbortController();
    const sent = new OutboundClient(POLICY).send({ method: 'GET', url: receiver.url('x'), signal: ending.signal });
    setTimeout(() => ending.abort(), 100);
    await expect(sent).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('fails if the connection is refused or reset, or the response is not HTTP', async () => {
    await expect(send({}, 'https://127.0.0.1:9/services/x')).rejects.toMatchObject({ reason: 'connection' });
    receiver.answer(() => 'reset');
    await expect(send()).rejects.toMatchObject({ reason: 'connection' });
    rawServer = await startRawServer((socket) => socket.end('nonsense\r\n\r\n'));
    const url = `http://127.0.0.1:${rawServer.port}/services/x`;
    await expect(send({ schemes: ['http:'] }, url)).rejects.toMatchObject({ reason: 'answer' });
  });

  it('fails if the certificate is for another host', async () => {
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const url = receiver.url('x').replace('localhost', 'other.test');
    await expect(send({ resolve }, url)).rejects.toMatchObject({ reason: 'certificate' });
  });

  it('fails if the host is not found or the scheme is not allowed', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(send({ resolve })).rejects.toMatchObject({ reason: 'unresolved' });
    await expect(send({ resolve: () => Promise.resolve([]) })).rejects.toMatchObject({ reason: 'unresolved' });
    await expect(send({}, receiver.url('x').replace('https', 'http'))).rejects.toMatchObject({ reason: 'connection' });
    await expect(send({}, 'file:///etc/passwd')).rejects.toMatchObject({ reason: 'connection' });
  });

  it('reveals neither the URL nor an address in its errors', async () => {
    receiver.answer(() => 'hang');
    for (const [policy, url] of [
      [{ timeoutMilliseconds: 100 }, receiver.url(SECRET)],
      [{ allowPrivate: false }, receiver.url(SECRET)],
      [{}, `https://127.0.0.1:9/services/${SECRET}`],
      [{}, `not a url ${SECRET}`],
    ] as const) {
      const failure: unknown = await send(policy, url).catch((error: unknown) => error);
      expect(`${(failure as Error).message} ${(failure as Error).stack} ${JSON.stringify(failure)}`).not.toMatch(
        /secret|127\.0\.0\.1/,
      );
    }
  });

  describe('without permission for private addresses', () => {
    const before = (): number => receiver.received.length;

    it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', 'localhost', '[64:ff9b::7f00:1]'])(
      'does not reach %s',
      async (host) => {
        const count = before();
        const url = `https://${host}:${receiver.port}/services/x`;
        await expect(send({ allowPrivate: false }, url)).rejects.toMatchObject({ reason: 'address' });
        expect(before()).toBe(count);
      },
    );

    it('does not even connect to a name with a public and a private address, in either order', async () => {
      let connections = 0;
      rawServer = await startRawServer(() => (connections += 1));
      const addresses = ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }));
      for (const mixed of [addresses, addresses.toReversed()]) {
        const policy: Partial<OutboundPolicy> = {
          allowPrivate: false,
          schemes: ['http:'],
          resolve: () => Promise.resolve(mixed),
        };
        await expect(send(policy, `http://mixed.test:${rawServer.port}/`)).rejects.toMatchObject({ reason: 'address' });
      }
      expect(connections).toBe(0);
    });

    it('resolves the host only once, so DNS rebinding does not reach a private address', async () => {
      const answers = ['93.184.216.34', '127.0.0.1', '127.0.0.1'];
      const lookups: string[] = [];
      const resolve = (host: string) => {
        lookups.push(host);
        return Promise.resolve([{ address: answers[lookups.length - 1] ?? '', family: 4 }]);
      };
      const count = before();
      // Nothing responds at this address; the point is that no request reaches the loopback address.
      await expect(send({ allowPrivate: false, resolve, timeoutMilliseconds: 400 })).rejects.toBeDefined();
      expect(lookups).toEqual(['localhost']);
      expect(before()).toBe(count);
    });

    it('checks the address that it has connected to', async () => {
      // A malicious resolver that returns one address first and another one later.
      const addresses = ['93.184.216.34', '127.0.0.1'];
      const entry = {
        family: 4,
        get address() {
          return addresses.length > 1 ? (addresses.shift() ?? '') : '127.0.0.1';
        },
      };
      const count = before();
      const sent = send({ allowPrivate: false, resolve: () => Promise.resolve([entry]) });
      await expect(sent).rejects.toMatchObject({ reason: 'address' });
      expect(before()).toBe(count);
    });
  });
});
