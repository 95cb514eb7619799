import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { MAIL_USER, type MailServer, startMailServer } from '#test/support/mail-server.js';
import { trustReceivers } from '#test/support/receiver.js';
import { Mailer } from './mailer.js';

const CREDENTIALS = `${MAIL_USER.user}:${encodeURIComponent(MAIL_USER.password)}`;
const MAIL = { to: 'grace@example.com', subject: 'Grüße', text: 'Hello.\nhttps://merlon.example.com/invitation#abc\n' };

let server: MailServer;
beforeAll(async () => {
  trustReceivers();
  server = await startMailServer();
});
afterAll(() => server.stop());

const mailerAt = (smtpUrl: string | undefined, mailTimeoutSeconds = 5): Mailer =>
  new Mailer({ smtpUrl, mailFrom: 'merlon@example.com', mailTimeoutSeconds });
const mailer = (): Mailer => mailerAt(`smtp://${CREDENTIALS}@localhost:${server.port}`);

/** What is received while `action` runs. */
async function receivedBy(action: () => Promise<unknown>) {
  const before = server.received.length;
  await action();
  return server.received.slice(before);
}

describe('The mailer', () => {
  it('sends plain text by an encrypted connection, with its credentials', async () => {
    const mails = await receivedBy(async () => expect(await mailer().send(MAIL)).toEqual({ sent: true }));
    expect(mails).toEqual([
      {
        from: 'merlon@example.com',
        to: ['grace@example.com'],
        isEncrypted: true,
        user: 'merlon',
        text: expect.stringContaining('https://merlon.example.com/invitation#abc'),
      },
    ]);
    expect(mails[0]?.text).toMatch(/^Content-Type: text\/plain/m);
  });

  it.each([
    'grace@example.com\r\nBcc: eve@example.com',
    'grace@example.com, eve@example.com',
    '"eve@evil.example x"@example.com',
    'Grace <grace@example.com>',
    'grace(@evil.example)@example.com',
    '@example.com',
    '',
  ])('does not send to %j', async (to) => {
    const mails = await receivedBy(async () =>
      expect(await mailer().send({ ...MAIL, to })).toEqual({ sent: false, error: expect.stringContaining('address') }),
    );
    expect(mails).toEqual([]);
  });

  it('puts nothing of a subject or a text into the headers', async () => {
    const evil = 'x\r\nBcc: eve@example.com\r\n\r\nX-Evil: 1';
    const [mail] = await receivedBy(() => mailer().send({ ...MAIL, subject: evil, text: evil }));
    const [headers = ''] = (mail?.text ?? '').split('\r\n\r\n');
    expect(headers).not.toMatch(/^(Bcc|X-Evil)/im);
    expect(mail?.to).toEqual(['grace@example.com']);
  });

  it.each<[title: string, url: () => string, to: string, error: string]>([
    [
      'the credentials are wrong',
      () => `smtp://merlon:hush@localhost:${server.port}`,
      MAIL.to,
      'The mail server does not accept the credentials of the service.',
    ],
    [
      'the address is refused',
      () => `smtp://${CREDENTIALS}@localhost:${server.port}`,
      'refused@example.com',
      'The mail server does not accept the address.',
    ],
    [
      'no one listens',
      () => 'smtp://localhost:1',
      MAIL.to,
      'The mail server cannot be reached, or did not answer in time.',
    ],
  ])('says so if %s', async (_, url, to, error) => {
    expect(await mailerAt(url()).send({ ...MAIL, to })).toEqual({ sent: false, error });
  });

  it('says so if there is no mail server', async () => {
    expect(mailerAt(undefined).isConfigured).toBe(false);
    expect(await mailerAt(undefined).send(MAIL)).toEqual({ sent: false, error: 'No mail server is configured.' });
  });

  describe('with a server of another kind', () => {
    let other: Server | undefined;
    afterEach(() => other?.close());
    const listen = async (greet: (write: (line: string) => void) => void): Promise<number> => {
      other = createServer((socket) => {
        socket.on('error', () => undefined);
        greet((line) => socket.write(line));
        socket.on('data', (data) => socket.write(data.toString().startsWith('EHLO') ? '250 plain\r\n' : '500 No.\r\n'));
      }).listen(0, '127.0.0.1');
      await once(other, 'listening');
      return (other.address() as AddressInfo).port;
    };

    it('gives up after the time limit, also if the server keeps answering slowly', async () => {
      let timer: NodeJS.Timeout | undefined;
      const port = await listen((write) => (timer = setInterval(() => write('220-wait\r\n'), 100)));
      const startedAt = performance.now();
      expect(await mailerAt(`smtp://localhost:${port}`, 1).send(MAIL)).toEqual({
        sent: false,
        error: 'The mail server cannot be reached, or did not answer in time.',
      });
      // The server would go on for ever.
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      clearInterval(timer);
    });

    it('sends nothing without encryption, unless the setting allows it', async () => {
      const port = await listen((write) => write('220 plain\r\n'));
      expect(await mailerAt(`smtp://localhost:${port}`).send(MAIL)).toEqual({
        sent: false,
        error: 'The connection to the mail server cannot be encrypted.',
      });
      expect(await mailerAt(`smtp://localhost:${port}?tls=optional`).send(MAIL)).toEqual({
        sent: false,
        error: expect.not.stringContaining('encrypted'),
      });
    });
  });
});
