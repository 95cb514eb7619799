import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Configuration } from '../configuration.js';
import { unlessAborted } from '../unless-aborted.js';
import { isMailAddress, isTlsOptional } from './mail-settings.js';

/** A mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Whether the mail server accepted a mail, or why not. */
export type MailOutcome = { readonly sent: true } | { readonly sent: false; readonly error: string };

type MailSettings = Pick<Configuration, 'smtpUrl' | 'mailFrom' | 'mailTimeoutSeconds'>;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Errors of the mail library, in words. No message contains the server's answer, which may repeat the mail. */
const ERRORS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server does not accept the credentials of the service.',
  EENVELOPE: 'The mail server does not accept the address.',
  EMESSAGE: 'The mail server does not accept the mail.',
  ETLS: 'The connection to the mail server cannot be encrypted.',
};
const UNREACHABLE = 'The mail server cannot be reached, or did not answer in time.';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Sends mail by a mail server, with one time limit for everything. */
export class Mailer {
  constructor(private readonly settings: MailSettings) {}

  /** Whether there is a mail server. */
  get isConfigured(): boolean {
    return this.settings.smtpUrl !== undefined;
  }

  /**
   * Sends a mail now. The texts become the body and the subject only: the library encodes them, and the recipient is
   * one address of a plain form. Never rejects.
   */
  async send({ to, subject, text }: Mail): Promise<MailOutcome> {
    const { smtpUrl, mailFrom, mailTimeoutSeconds } = this.settings;
    if (smtpUrl === undefined) return { sent: false, error: 'No mail server is configured.' };
    if (!isMailAddress(to)) return { sent: false, error: 'Mail cannot be sent to this address.' };
    const url = new URL(smtpUrl);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port) || DEFAULT_PORTS[url.protocol];
    let socket: Socket | undefined;
    const transport = createTransport({
      host,
      port,
      secure: url.protocol === 'smtps:',
      requireTLS: !isTlsOptional(url),
      ...(url.username !== '' && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      disableFileAccess: true,
      disableUrlAccess: true,
      // With its own socket, the time limit ends a connection in which the server keeps answering slowly.
      getSocket: (_options: unknown, callback: (error: Error | null, connection?: { connection: Socket }) => void) => {
        socket = connect({ host, port: Number(port) });
        socket.once('error', callback);
        socket.once('connect', () => {
          socket?.removeListener('error', callback);
          callback(null, { connection: socket as Socket });
        });
      },
    });
    const envelope = { from: mailFrom, to: [to] };
    const mail = {
      envelope,
      from: { name: 'Merlon', address: mailFrom },
      to: { name: '', address: to },
      subject,
      text,
    };
    try {
      await unlessAborted(transport.sendMail(mail), AbortSignal.timeout(mailTimeoutSeconds * 1000));
      return { sent: true };
    } catch (error) {
      return { sent: false, error: ERRORS[codeOf(error)] ?? UNREACHABLE };
    } finally {
      socket?.destroy();
      transport.close();
    }
  }
}
