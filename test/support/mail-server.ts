import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';

const CERTIFICATES = path.join(import.meta.dirname, 'certificates');

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** The user who sent it. */
  readonly user: string;
  /** Its headers and body. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

/** The user and password that the server accepts. */
export const MAIL_USER = { user: 'merlon', password: 'p@ss/word' };

/** Starts a real mail server at a loopback address. It asks for a password, and offers STARTTLS. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key: readFileSync(path.join(CERTIFICATES, 'localhost-key.pem')),
    cert: readFileSync(path.join(CERTIFICATES, 'localhost.pem')),
    onAuth: ({ username, password }, _session, callback) =>
      username === MAIL_USER.user && password === MAIL_USER.password
        ? callback(null, { user: username })
        : callback(new Error('No.')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith('refused') ? Object.assign(new Error('Unknown.'), { responseCode: 550 }) : null),
    onData: (stream, { envelope, secure, user }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          user: String(user),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        callback(null);
      });
    },
  });
  server.on('error', () => undefined); // of clients that hang up
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return { port, received, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
