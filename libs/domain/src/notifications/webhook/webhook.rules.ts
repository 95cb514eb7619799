import { isHostListed } from '#platform/host-list.js';

/** The one kind of chat service that there is. */
export const INTEGRATION_TYPE = 'slack';

/** The activities that a webhook can deliver, by name. */
export const EVENTS = {
  CreatedProjectActivity: { title: 'New project', subject: 'project', folder: 'projects' },
} as const;

export type EventSource = keyof typeof EVENTS;

export const EVENT_SOURCES = Object.keys(EVENTS) as readonly EventSource[];

/** Whether webhooks can deliver the activity of this name. */
export const isEventSource = (name: string): name is EventSource => Object.hasOwn(EVENTS, name);

/** What asks webhooks for a test message: they need no configuration for it, and can have none. */
export const TEST_EVENT = 'TriggeredAutomationEventActivity';

/** What no one needs any more is deleted after this time. */
export const DELIVERY_RETENTION_DAYS = 30;

/** A delivery that has failed this often steps aside for those behind it. */
export const FAILURES_IN_LINE = 3;

/** What a webhook's URL is sealed as: see `SecretBox`. */
export const WEBHOOK_URL_PURPOSE = 'webhook.url';

const FORM =
  'Enter a URL such as https://hooks.slack.com/services/T000/B000/XXXX: https, no user name, and a path below ' +
  '/services/.';

/**
 * URL parsers read backslashes as slashes: these are refused, as blanks are. No user name stands before the host. The
 * path begins with `/services/` as it is written too, before a parser resolves its dots.
 */
const PLAIN_URL = /^https:\/\/[^/?#@\\\s]+\/services\/[^\\\s]+$/i;

/** Returns an error message, or undefined if the URL is well-formed. The message does not repeat the URL, a secret. */
export function webhookUrlProblem(text: string): string | undefined {
  if (!PLAIN_URL.test(text) || !URL.canParse(text)) return FORM;
  // The parser resolves dots, so that `/services/../x` is what it leads to.
  const { protocol, username, password, pathname } = new URL(text);
  const plain = protocol === 'https:' && username === '' && password === '';
  return plain && /^\/services\/+[^/]/.test(pathname) ? undefined : FORM;
}

/** Returns an error message, or undefined if `hosts` allows the host of a well-formed URL. */
export function webhookHostProblem(text: string, hosts: readonly string[]): string | undefined {
  return isHostListed(new URL(text), hosts) ? undefined : `Its host must be one of ${hosts.join(', ')}.`;
}
