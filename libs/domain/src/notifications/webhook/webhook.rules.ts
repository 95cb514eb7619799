import { isHostListed } from '#platform/host-list.js';

/** The only supported chat service. */
export const INTEGRATION_TYPE = 'slack';

/** The activities that a webhook can deliver, by name. */
export const EVENTS = {
  CreatedProjectActivity: { title: 'New project', subject: 'project', folder: 'projects' },
} as const;

export type EventSource = keyof typeof EVENTS;

export const EVENT_SOURCES = Object.keys(EVENTS) as readonly EventSource[];

export const isEventSource = (name: string): name is EventSource => Object.hasOwn(EVENTS, name);

/** The event of test messages. It needs no configuration and cannot be configured. */
export const TEST_EVENT = 'TriggeredAutomationEventActivity';

/** Finished deliveries are deleted after this time. */
export const DELIVERY_RETENTION_DAYS = 30;

/** After this many failures, a delivery no longer blocks the ones behind it. */
export const FAILURES_BEFORE_ASIDE = 3;

/** The encryption purpose of a webhook's URL: see `SecretBox`. */
export const WEBHOOK_URL_PURPOSE = 'webhook.url';

const URL_FORMAT_MESSAGE =
  'Enter a URL such as https://hooks.slack.com/services/T000/B000/XXXX: https, no user name, and a path below ' +
  '/services/.';

/**
 * Rejects user names and blanks, and backslashes, which URL parsers read as slashes. The path must begin with
 * `/services/` as it is written, before a parser resolves its dots.
 */
const PLAIN_URL = /^https:\/\/[^/?#@\\\s]+\/services\/[^\\\s]+$/i;

/** Returns an error message, or undefined if the URL is well-formed. The message does not repeat the URL, a secret. */
export function webhookUrlError(text: string): string | undefined {
  if (!PLAIN_URL.test(text) || !URL.canParse(text)) return URL_FORMAT_MESSAGE;
  // Check again after the parser has resolved dots, as in `/services/../x`.
  const { protocol, username, password, pathname } = new URL(text);
  const plain = protocol === 'https:' && username === '' && password === '';
  return plain && /^\/services\/+[^/]/.test(pathname) ? undefined : URL_FORMAT_MESSAGE;
}

/** Returns an error message, or undefined if `hosts` allows the host of a well-formed URL. */
export function webhookHostError(text: string, hosts: readonly string[]): string | undefined {
  return isHostListed(new URL(text), hosts) ? undefined : `Its host must be one of ${hosts.join(', ')}.`;
}
