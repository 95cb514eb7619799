import { reportedActivity, TEST_EVENT, type WebhookFormat } from './webhook.rules.js';

/** An activity, as it is shown in a message. */
export interface ActivitySnapshot {
  readonly name: string;
  /** The name of the webhook. */
  readonly webhook: string;
  /** Ids and, with the suffix `_desc`, names. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly actor: string;
  readonly occurredAt: Date;
}

/** A message in Slack's format. */
export interface Message {
  /** For notifications, and for clients that do not show blocks. */
  readonly text: string;
  readonly blocks: readonly object[];
}

const MAX_VALUE_LENGTH = 300;

/** A value on one line of limited length. */
function shorten(text: string): string {
  const line = Array.from(text.replace(/\s+/g, ' ').trim());
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : line.join('');
}

const escapeEntities = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** A value for mrkdwn text: one line of limited length, in which no character starts a link or a mention. */
export const escapeMrkdwn = (text: string): string => escapeEntities(shorten(text));

/** No character of the result formats, links or mentions anything in Mattermost, which also reads Slack's links. */
const escapeMattermost = (text: string): string =>
  escapeEntities(text)
    .replace(/[\\`*_{}[\]()#+!|~-]/g, String.raw`\$&`)
    .replaceAll('@', '@\u200B')
    .replaceAll(':', ':\u200B');

interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What a message says, as plain text in lines of limited length. */
interface Content {
  readonly title: string;
  /** A sentence, in which `linked` leads to the item. */
  readonly before: string;
  readonly linked: string;
  readonly after: string;
  /** The first one is about the linked item. */
  readonly facts: readonly Fact[];
  readonly link: string;
  readonly linkLabel: string;
}

/** The entries of an activity's data that messages show, in this order. */
const FACTS = [
  ['Countermeasure', 'task'],
  ['Status', 'status'],
  ['Compliance', 'compliance'],
  ['Project', 'project'],
  ['Release', 'release'],
  ['Application', 'application'],
  ['Business unit', 'business_unit'],
] as const;

const testContent = (webhook: string, author: string, origin: string): Content => ({
  title: 'It works',
  before: `This is a test of the webhook ${shorten(webhook)}, sent by ${author}.`,
  linked: '',
  after: '',
  facts: [],
  link: `${origin}/`,
  linkLabel: 'Open Merlon',
});

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function contentOf({ name, webhook, data, actor }: ActivitySnapshot, origin: string): Content {
  const author = shorten(actor);
  const reported = reportedActivity(name);
  if (!reported) return testContent(webhook, author, origin);
  const { title, folder } = reported;
  const descriptionOf = (key: string): string => shorten(textOf(data[`${key}_desc`]));
  const isNew = name.startsWith('Created');
  const project = textOf(data['project']);
  const [subject, ...others] = FACTS.map(([label, key]) => ({ label, value: descriptionOf(key) })).filter(
    ({ value }) => value !== '',
  );
  const first = { label: subject?.label ?? 'Project', value: subject?.value ?? title };
  const where = descriptionOf('application') === '' ? '' : ` in ${descriptionOf('application')}`;
  return {
    title,
    before: `${title}: `,
    linked: first.value,
    after: `${where}, ${isNew ? 'created ' : ''}by ${author}`,
    facts: [first, ...others, { label: isNew ? 'Created by' : 'By', value: author }].filter(
      ({ value }) => value !== '',
    ),
    link: `${origin}/${folder}/${project === '' ? '' : `${encodeURIComponent(project)}/`}`,
    linkLabel: 'Open in Merlon',
  };
}

const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });

/** The message about an activity in Slack's format. `origin` is the base URL of links to this service. */
export function messageOf(activity: ActivitySnapshot, origin: string): Message {
  const { title, before, linked, after, facts, link, linkLabel } = contentOf(activity, origin);
  const anchor = linked === '' ? '' : `<${link}|${escapeEntities(linked)}>`;
  const text = `${escapeEntities(before)}${anchor}${escapeEntities(after)}`;
  const valueOf = ({ value }: Fact, index: number): string => (index === 0 ? anchor : escapeEntities(value));
  const epochSeconds = Math.floor(activity.occurredAt.getTime() / 1000);
  const when = `<!date^${epochSeconds}^{date_short_pretty}, {time}|${activity.occurredAt.toISOString()}> · `;
  return {
    text,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title } },
      facts.length
        ? { type: 'section', fields: facts.map((fact, index) => mrkdwn(`*${fact.label}*\n${valueOf(fact, index)}`)) }
        : { type: 'section', text: mrkdwn(text) },
      { type: 'context', elements: [mrkdwn(`${facts.length ? when : ''}<${link}|${linkLabel}>`)] },
    ],
  };
}

/** An attachment, which Mattermost shows with a title and a table of facts. */
function mattermostMessageOf(activity: ActivitySnapshot, origin: string): object {
  const { title, before, linked, after, facts, link, linkLabel } = contentOf(activity, origin);
  const sentence = escapeMattermost(before + linked + after);
  return {
    attachments: [
      {
        fallback: sentence,
        title,
        title_link: link,
        text: facts.length ? `[${linkLabel}](${link})` : sentence,
        fields: facts.map(({ label, value }) => ({ short: true, title: label, value: escapeMattermost(value) })),
      },
    ],
  };
}

/** Runs of text contain no markup, so that no value of a project can format or link anything. */
const richText = (...inlines: readonly object[]): object => ({
  type: 'RichTextBlock',
  inlines: inlines.map((inline) => ({ type: 'TextRun', ...inline })),
});

/** An Adaptive Card. */
function teamsMessageOf(activity: ActivitySnapshot, origin: string): object {
  const { title, before, linked, after, facts, link, linkLabel } = contentOf(activity, origin);
  const sentence = before + linked + after;
  return {
    type: 'message',
    summary: sentence,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: sentence,
          body: [
            richText({ text: title, size: 'large', weight: 'bolder' }),
            ...(facts.length
              ? facts.map(({ label, value }) => richText({ text: `${label}: `, weight: 'bolder' }, { text: value }))
              : [richText({ text: sentence })]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: linkLabel, url: link }],
        },
      },
    ],
  };
}

/** The event itself, for receivers that are programs. */
const standardMessageOf = (activity: ActivitySnapshot, origin: string): object => ({
  type: reportedActivity(activity.name)?.source ?? TEST_EVENT,
  timestamp: activity.occurredAt.toISOString(),
  data: { ...activity.data, activity: activity.name, actor: activity.actor, url: contentOf(activity, origin).link },
});

const WRITERS: Readonly<Record<WebhookFormat, (activity: ActivitySnapshot, origin: string) => object>> = {
  slack: messageOf,
  mattermost: mattermostMessageOf,
  teams: teamsMessageOf,
  standard: standardMessageOf,
};

/** The body of a request that reports an activity. `origin` is the base URL of links to this service. */
export const bodyOf = (format: WebhookFormat, activity: ActivitySnapshot, origin: string): object =>
  WRITERS[format](activity, origin);
