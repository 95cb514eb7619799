import { createHmac } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { type ActivityInput, recordActivity } from '#domain/activity/activity.js';
import { findActor } from '#domain/access/user/principal.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { WEBHOOK_SECRET_PURPOSE } from '#domain/notifications/webhook/webhook.rules.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { bodyOf } from '#test/support/client.js';
import { useDeliveries } from '#test/support/deliveries.js';
import { unique } from '#test/support/factories.js';
import type { Received } from '#test/support/receiver.js';
import { allAre, deliveriesWhere, makeConfig, makeWebhook, type Webhook } from '#test/support/webhooks.js';
import type { TestWorker } from '#test/support/worker.js';

const MARKUP = '[x](https://evil.example) *b* <!channel> @all {{DATE(now)}}';

/** The place of activities within a project. */
const PLACE = {
  application: { id: 3, description: 'Shop' },
  business_unit: { id: 1, description: 'Sales' },
};
const project = (title: string) => ({ subject: 'project', id: 7, title, also: PLACE }) as const;

const ACTIVITIES: readonly (readonly [type: string, activity: ActivityInput])[] = [
  ['CreatedProjectActivity', { ...project('Till'), verb: 'Created' }],
  ['ProjectStatusChanged', { ...project('Till'), verb: 'Archived' }],
  ['ProjectStatusChanged', { ...project('Till'), verb: 'Unarchived' }],
  ['ProjectStatusChanged', { ...project('Till'), verb: 'Locked' }],
  ['ProjectStatusChanged', { ...project('Till'), verb: 'Unlocked' }],
  [
    'CountermeasureStatusChanged',
    {
      subject: 'project_countermeasure',
      verb: 'Marked',
      id: '7-T1',
      title: 'Throttle',
      also: { ...PLACE, project: { id: 7, description: 'Till' }, status: { id: 'TS1', description: 'Complete' } },
    },
  ],
  ['SurveyCompleted', { ...project('Till'), subject: 'project_survey', verb: 'Completed' }],
  [
    'RiskPolicyComplianceChanged',
    {
      ...project('Till'),
      subject: 'project_compliance',
      verb: 'Changed',
      also: { ...PLACE, compliance: { id: 'compliant', description: 'Compliant' } },
    },
  ],
  ['LibraryUpgraded', { subject: 'library_release', verb: 'Upgraded', id: 'abc', title: 'abc' }],
];

const EVENTS = [...new Set(ACTIVITIES.map(([type]) => type))];

/** The signature of a message by the specification of Standard Webhooks. */
const signatureBy = (secret: string, { id, headers, text }: Received): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${id}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

describe('Messages of webhooks', () => {
  const running = useDeliveries('postgresql');
  let worker: TestWorker;
  beforeAll(async () => void (worker = await running.makeWorker()));
  afterAll(() => worker.stop());

  const make = async (format: string, events: readonly string[] = EVENTS): Promise<Webhook> => {
    const { api } = running.test;
    const name = unique(format);
    const webhook = await makeWebhook(api, { name, format, url: running.receiver.url(encodeURIComponent(name)) });
    for (const event_source of events) await makeConfig(api, webhook.id, { event_source });
    return webhook;
  };

  const record = (...activities: readonly ActivityInput[]): Promise<void> => {
    const { app } = running.test.running;
    const { id: organizationId, admin } = running.test.organization;
    return inTransaction(app.get(EntityManager), { organizationId }, async (em) => {
      const actor = await findActor(em, admin.id);
      if (!actor) throw new Error('The organization has no super-user.');
      await recordActivity(em, actor, ...activities);
    });
  };

  const received = async (webhook: Webhook, count = 1): Promise<Received[]> => {
    await deliveriesWhere(running.test.api, webhook.id, allAre('delivered', count));
    return running.at(webhook);
  };

  const delivered = async (webhook: Webhook, ...activities: readonly ActivityInput[]): Promise<unknown[]> => {
    await record(...activities);
    return (await received(webhook, activities.length)).map(({ text }) => JSON.parse(text) as unknown);
  };

  it('report every event to programs, in order, with its type, its time and its data', async () => {
    const webhook = await make('standard');
    const messages = await delivered(webhook, ...ACTIVITIES.map(([, activity]) => activity));
    expect(messages).toMatchObject(
      ACTIVITIES.map(([type]) => ({
        type,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { actor: 'Ada Admin' },
      })),
    );
    expect(messages[5]).toMatchObject({
      data: {
        activity: 'MarkedTaskActivity',
        task: '7-T1',
        status: 'TS1',
        status_desc: 'Complete',
        project: 7,
        url: 'https://merlon.example.com/projects/7/',
      },
    });
    expect(messages.at(-1)).toMatchObject({ data: { release: 'abc', url: 'https://merlon.example.com/library/' } });
  });

  it('to programs are signed as Standard Webhooks demands, and again at each attempt, with the same id', async () => {
    running.receiver.answer((_, earlier) => (earlier.length ? 200 : 500));
    const { secret = '', ...webhook } = await make('standard', ['CreatedProjectActivity']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await record({ ...project('Signed'), verb: 'Created' });
    const messages = await received(webhook);
    expect(messages).toHaveLength(2);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    for (const message of messages) {
      expect(message.headers['webhook-signature']).toBe(signatureBy(secret, message));
      expect(Math.abs(Number(message.headers['webhook-timestamp']) * 1000 - message.at)).toBeLessThan(5000);
    }
  });

  it('are signed with the new and the previous secret for 24 hours after a rotation', async () => {
    const { api, database } = running.test;
    const { secret: first = '', ...webhook } = await make('standard', ['CreatedProjectActivity']);
    const rotate = async (): Promise<string> => {
      const path = `/webhooks/${webhook.id}/rotate-secret/`;
      return (await bodyOf(api.post<Webhook>(path))).secret ?? '';
    };
    const signatures = async (count: number): Promise<[found: unknown, by: (secret: string) => string]> => {
      await record({ ...project('Rotated'), verb: 'Created' });
      const last = (await received(webhook, count)).at(-1);
      if (!last) throw new Error('Nothing arrived.');
      return [last.headers['webhook-signature'], (secret) => signatureBy(secret, last)];
    };
    const second = await rotate();
    expect(second).not.toBe(first);
    const [both, sign] = await signatures(1);
    expect(both).toBe(`${sign(second)} ${sign(first)}`);
    const [row] = await database.query<{ hours: number; sealed_secret: string }>(
      `SELECT round(extract(epoch FROM previous_secret_until - now()) / 3600)::int AS hours, sealed_secret
       FROM webhook WHERE id = $1`,
      [webhook.id],
    );
    expect(row?.hours).toBe(24);
    expect(new SecretBox('k'.repeat(40)).open(row?.sealed_secret ?? '', WEBHOOK_SECRET_PURPOSE)).toBe(second);
    await database.query('UPDATE webhook SET previous_secret_until = now() WHERE id = $1', [webhook.id]);
    const [one, signOne] = await signatures(2);
    expect(one).toBe(signOne(second));
    const third = await rotate();
    const [latest, signLatest] = await signatures(3);
    expect(latest).toBe(`${signLatest(third)} ${signLatest(second)}`);
  });

  it('to Mattermost are attachments in which names can neither format, link nor mention', async () => {
    const webhook = await make('mattermost', ['CountermeasureStatusChanged']);
    const status = { id: 'TS1', description: 'Complete' };
    const also = { ...PLACE, project: { id: 7, description: 'Till' }, status };
    const [message] = await delivered(webhook, {
      subject: 'project_countermeasure',
      verb: 'Marked',
      id: '7-T1',
      title: MARKUP,
      also,
    });
    expect(message).toMatchObject({
      attachments: [
        {
          title: 'Status of a countermeasure changed',
          title_link: 'https://merlon.example.com/projects/7/',
          fields: [
            { title: 'Countermeasure', value: expect.stringContaining('\\*b\\*') },
            { title: 'Status', value: 'Complete' },
            { title: 'Project', value: 'Till' },
            { title: 'Application', value: 'Shop' },
            { title: 'Business unit', value: 'Sales' },
            { title: 'By', value: 'Ada Admin' },
          ],
        },
      ],
    });
    expect(JSON.stringify(message)).not.toMatch(/<!channel>|@all|\[x\]\(https:\/\/evil/);
  });

  it('to Microsoft Teams are Adaptive Cards that show names as plain runs of text', async () => {
    const webhook = await make('teams', ['CreatedProjectActivity']);
    const [message] = await delivered(webhook, { ...project(MARKUP), verb: 'Created' });
    const run = (text: string) => expect.objectContaining({ type: 'TextRun', text });
    expect(message).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: expect.arrayContaining([
              { type: 'RichTextBlock', inlines: [run('New project')] },
              { type: 'RichTextBlock', inlines: [run('Project: '), run(MARKUP)] },
              { type: 'RichTextBlock', inlines: [run('Created by: '), run('Ada Admin')] },
            ]),
            actions: [{ type: 'Action.OpenUrl', url: 'https://merlon.example.com/projects/7/' }],
          },
        },
      ],
    });
    expect(JSON.stringify(message)).not.toContain('"TextBlock"');
  });

  it.each(['mattermost', 'teams', 'standard'])('can be tried in the format %s', async (format) => {
    const webhook = await make(format, []);
    expect(await bodyOf(running.test.api.post(`/webhooks/${webhook.id}/test/`))).toMatchObject({ success: true });
    const [message] = running.at(webhook);
    expect(message?.text).toContain(webhook.name);
    expect(message?.headers['webhook-signature'] !== undefined).toBe(format === 'standard');
  });

  it('fail with a reason if the secret can no longer be decrypted', async () => {
    const webhook = await make('standard', []);
    const { api, database } = running.test;
    await database.query(`UPDATE webhook SET sealed_secret = 'v1.00000000.AAAA' WHERE id = $1`, [webhook.id]);
    expect(await bodyOf(api.post(`/webhooks/${webhook.id}/test/`))).toMatchObject({
      success: false,
      error: 'The secret cannot be decrypted: its key is no longer available.',
    });
  });
});
