import { isHostListed } from '#platform/host-list.js';

/** The only value of `integration_type`, a field of earlier clients. The format tells receivers apart. */
export const INTEGRATION_TYPE = 'slack';

/** How messages are written. */
export const WEBHOOK_FORMATS = ['slack', 'mattermost', 'teams', 'standard'] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

interface EventOfWebhooks {
  /** Where links in its messages lead. */
  readonly folder: string;
  /** The activities that it reports, by name, each with the title of its messages. */
  readonly titles: Readonly<Record<string, string>>;
}

/** The events that a webhook can report. */
export const EVENTS = {
  CreatedProjectActivity: { folder: 'projects', titles: { CreatedProjectActivity: 'New project' } },
  ProjectStatusChanged: {
    folder: 'projects',
    titles: {
      ArchivedProjectActivity: 'Project archived',
      UnarchivedProjectActivity: 'Project reopened',
      LockedProjectActivity: 'Project locked',
      UnlockedProjectActivity: 'Project unlocked',
    },
  },
  CountermeasureStatusChanged: {
    folder: 'projects',
    titles: { MarkedTaskActivity: 'Status of a countermeasure changed' },
  },
  SurveyCompleted: { folder: 'projects', titles: { CompletedProjectSurveyActivity: 'Survey completed' } },
  RiskPolicyComplianceChanged: {
    folder: 'projects',
    titles: { ChangedProjectComplianceActivity: 'Compliance with the risk policy changed' },
  },
  LibraryUpgraded: { folder: 'library', titles: { UpgradedLibraryActivity: 'Library upgraded' } },
} as const satisfies Readonly<Record<string, EventOfWebhooks>>;

export type EventSource = keyof typeof EVENTS;

export const EVENT_SOURCES = Object.keys(EVENTS) as readonly EventSource[];

/** The event that reports an activity, and how its messages present it. */
export interface ReportedActivity {
  readonly source: EventSource;
  readonly folder: string;
  readonly title: string;
}

const REPORTED: ReadonlyMap<string, ReportedActivity> = new Map(
  EVENT_SOURCES.flatMap((source) => {
    const { folder, titles }: EventOfWebhooks = EVENTS[source];
    return Object.entries(titles).map(([name, title]) => [name, { source, folder, title }] as const);
  }),
);

/** The event that reports the activities of a name; undefined if none does. */
export const reportedActivity = (name: string): ReportedActivity | undefined => REPORTED.get(name);

/** The only event of the format `slack`. */
const SLACK_EVENT: EventSource = 'CreatedProjectActivity';

/** Returns an error message, or undefined if webhooks of this format can report the event. */
export const webhookEventError = (format: WebhookFormat, source: EventSource): string | undefined =>
  format === 'slack' && source !== SLACK_EVENT ? `Webhooks of the format slack report only ${SLACK_EVENT}.` : undefined;

/** The event of test messages. It needs no configuration and cannot be configured. */
export const TEST_EVENT = 'TriggeredAutomationEventActivity';

/** Finished deliveries are deleted after this time. */
export const DELIVERY_RETENTION_DAYS = 30;

/** After this many failures, a delivery no longer blocks the ones behind it. */
export const FAILURES_BEFORE_ASIDE = 3;

/** The encryption purpose of a webhook's URL: see `SecretBox`. */
export const WEBHOOK_URL_PURPOSE = 'webhook.url';

/** The encryption purpose of the secrets that sign a webhook's messages: see `SecretBox`. */
export const WEBHOOK_SECRET_PURPOSE = 'webhook.secret';

/** After a new secret was made, the previous one signs as well for this time. */
export const PREVIOUS_SECRET_HOURS = 24;

const URL_FORMAT_MESSAGE = 'Enter a URL that begins with https://, without a user name.';

const SLACK_URL_MESSAGE =
  'Enter a URL such as https://hooks.slack.com/services/T000/B000/XXXX: https, no user name, and a path below ' +
  '/services/.';

/** Rejects user names, fragments and blanks, and backslashes, which URL parsers read as slashes. */
const PLAIN_URL = /^https:\/\/[^/?#@\\\s]+(?:[/?][^#\\\s]*)?$/i;

/** The path begins with `/services/` as it is written, before a parser resolves its dots. */
const SLACK_URL = /^https:\/\/[^/?#@\\\s]+\/services\/[^\\\s]+$/i;

/** Returns an error message, or undefined if the URL is well-formed. The message does not repeat the URL, a secret. */
export function webhookUrlError(text: string): string | undefined {
  if (!PLAIN_URL.test(text) || !URL.canParse(text)) return URL_FORMAT_MESSAGE;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? undefined : URL_FORMAT_MESSAGE;
}

/**
 * Returns an error message, or undefined if messages of a format may go to a well-formed URL. Those of the format
 * `slack` go to listed hosts only; for others, the outbound client decides by the address of the host.
 */
export function webhookTargetError(text: string, format: WebhookFormat, hosts: readonly string[]): string | undefined {
  if (format !== 'slack') return undefined;
  const url = new URL(text);
  // Check again after the parser has resolved dots, as in `/services/../x`.
  if (!SLACK_URL.test(text) || !/^\/services\/+[^/]/.test(url.pathname)) return SLACK_URL_MESSAGE;
  return isHostListed(url, hosts) ? undefined : `Its host must be one of ${hosts.join(', ')}.`;
}
