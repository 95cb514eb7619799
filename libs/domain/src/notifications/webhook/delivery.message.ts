import { EVENTS, type EventSource, TEST_EVENT } from './webhook.rules.js';

/** An activity as a message tells it. */
export interface ActivitySnapshot {
  readonly name: EventSource | typeof TEST_EVENT;
  /** What the webhook is called that delivers it. */
  readonly webhook: string;
  /** Ids with their `_desc` companions. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly actor: string;
  readonly occurredAt: Date;
}

/** A message in the chat service's format. */
export interface Message {
  /** For notifications, and where blocks are not shown. */
  readonly text: string;
  readonly blocks: readonly object[];
}

const LONGEST_VALUE = 300;

/**
 * A value as it may appear in mrkdwn: one line, not endless, and without the characters that begin links and mentions.
 */
export function escapeMrkdwn(text: string): string {
  const line = Array.from(text.replace(/\s+/g, ' ').trim());
  const short = line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1).join('')}…` : line.join('');
  return short.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text });

/** What people read in the channel. `origin` is the service's address, for the link to what it is about. */
export function messageOf({ name, webhook, data, actor, occurredAt }: ActivitySnapshot, origin: string): Message {
  if (name === TEST_EVENT) return testMessage(webhook, actor, origin);
  const { title, subject, folder } = EVENTS[name];
  const link = `${origin}/${folder}/${encodeURIComponent(String(data[subject] ?? ''))}/`;
  const described = (key: string): string => escapeMrkdwn(String(data[`${key}_desc`] ?? ''));
  const linked = `<${link}|${described(subject) || title}>`;
  const who = escapeMrkdwn(actor);
  const facts = [
    ['Project', linked],
    ['Application', described('application')],
    ['Business unit', described('business_unit')],
    ['Created by', who],
  ].filter(([, value]) => value !== '');
  const moment = Math.floor(occurredAt.getTime() / 1000);
  const when = `<!date^${moment}^{date_short_pretty}, {time}|${occurredAt.toISOString()}>`;
  const where = described('application') === '' ? '' : ` in ${described('application')}`;
  return {
    text: `${title}: ${linked}${where}, created by ${who}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title } },
      { type: 'section', fields: facts.map(([label, value]) => mrkdwn(`*${label}*\n${value}`)) },
      { type: 'context', elements: [mrkdwn(`${when} · <${link}|Open in Merlon>`)] },
    ],
  };
}

/** What a webhook says when it is tried out. */
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
