import { EVENTS, type EventSource, TEST_EVENT } from './webhook.rules.js';

/** An activity, as it is shown in a message. */
export interface ActivitySnapshot {
  readonly name: EventSource | typeof TEST_EVENT;
  /** The name of the webhook. */
  readonly webhook: string;
  /** Ids and, with the suffix `_desc`, names. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly actor: string;
  readonly occurredAt: Date;
}

/** A message in the chat service's format. */
export interface Message {
  /** For notifications, and for clients that do not show blocks. */
  readonly text: string;
  readonly blocks: readonly object[];
}

const MAX_VALUE_LENGTH = 300;

/** A value for mrkdwn text: one line of limited length, in which no character starts a link or a mention. */
export function escapeMrkdwn(text: string): string {
  const line = Array.from(text.replace(/\s+/g, ' ').trim());
  const shortened = line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : line.join('');
  return shortened.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });

/** The message about an activity. `origin` is the base URL of links to this service. */
export function messageOf({ name, webhook, data, actor, occurredAt }: ActivitySnapshot, origin: string): Message {
  if (name === TEST_EVENT) return testMessage(webhook, actor, origin);
  const { title, subject, folder } = EVENTS[name];
  const link = `${origin}/${folder}/${encodeURIComponent(String(data[subject] ?? ''))}/`;
  const descriptionOf = (key: string): string => escapeMrkdwn(String(data[`${key}_desc`] ?? ''));
  const linked = `<${link}|${descriptionOf(subject) || title}>`;
  const author = escapeMrkdwn(actor);
  const facts = [
    ['Project', linked],
    ['Application', descriptionOf('application')],
    ['Business unit', descriptionOf('business_unit')],
    ['Created by', author],
  ].filter(([, value]) => value !== '');
  const epochSeconds = Math.floor(occurredAt.getTime() / 1000);
  const when = `<!date^${epochSeconds}^{date_short_pretty}, {time}|${occurredAt.toISOString()}>`;
  const where = descriptionOf('application') === '' ? '' : ` in ${descriptionOf('application')}`;
  return {
    text: `${title}: ${linked}${where}, created by ${author}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title } },
      { type: 'section', fields: facts.map(([label, value]) => mrkdwn(`*${label}*\n${value}`)) },
      { type: 'context', elements: [mrkdwn(`${when} · <${link}|Open in Merlon>`)] },
    ],
  };
}

export function testMessage(webhook: string, actor: string, origin: string): Message {
  const text = `This is a test of the webhook ${escapeMrkdwn(webhook)}, sent by ${escapeMrkdwn(actor)}.`;
  return {
    text,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'It works' } },
      { type: 'section', text: mrkdwn(text) },
      { type: 'context', elements: [mrkdwn(`<${origin}/|Open Merlon>`)] },
    ],
  };
}
