import { SecretBox } from '#platform/crypto/secret-box.js';
import { useDomain } from '#test/support/domain.js';
import { createWebhookConfig, removeWebhookConfig, updateWebhookConfig } from './webhook-config.commands.js';
import { createWebhook, removeWebhook, updateWebhook } from './webhook.commands.js';
import { WEBHOOK_URL_PURPOSE } from './webhook.rules.js';

const domain = useDomain();

const secrets = new SecretBox('k'.repeat(40));
const dependencies = { hosts: ['hooks.slack.com', 'hooks.example.com'], secrets };
const url = (host: string): string => `https://${host}/services/T000/B000/XXXX`;

const make = async (name: string): Promise<string> => {
  const input = { name, url: url('hooks.slack.com') };
  return (await domain.run((em, actor) => createWebhook(em, actor, input, dependencies))).id;
};

describe('A webhook', () => {
  const ELSEWHERE = { url: ['Its host must be one of hooks.slack.com, hooks.example.com.'] };

  it('can have a URL only on an allowed host', async () => {
    const id = await make('Kept');
    for (const host of ['example.com', 'hooks.slack.com.example.com', 'x.hooks.slack.com']) {
      const rejected = domain.rejection((em, actor) =>
        createWebhook(em, actor, { name: 'Elsewhere', url: url(host) }, dependencies),
      );
      expect(await rejected).toEqual(ELSEWHERE);
    }
    const rejected = await domain.rejection((em, actor) =>
      updateWebhook(em, actor, id, { name: 'Changed', active: false, url: url('example.com') }, dependencies),
    );
    expect(rejected).toEqual(ELSEWHERE);
  });

  it('is stored with its URL encrypted', async () => {
    const id = await make('Sealed');
    const [row] = await domain.database.query<{ sealed_url: string }>('SELECT sealed_url FROM webhook WHERE id = $1', [
      id,
    ]);
    expect(row?.sealed_url).not.toContain('slack');
    expect(secrets.open(row?.sealed_url ?? '', WEBHOOK_URL_PURPOSE)).toBe(url('hooks.slack.com'));
  });

  it('is not found by another organization', async () => {
    const id = await make('Theirs');
    const other = await domain.newOrganization();
    expect(
      await domain.rejection((em, actor) => updateWebhook(em, actor, id, { name: 'Ours' }, dependencies), other),
    ).toBe('Not found.');
    expect(await domain.rejection((em, actor) => removeWebhook(em, actor, id), other)).toBe('Not found.');
    expect(
      await domain.rejection(
        (em, actor) => createWebhookConfig(em, actor, id, { event_source: 'CreatedProjectActivity' }),
        other,
      ),
    ).toBe('Not found.');
  });

  it('has at most one configuration per event, and does not find those of another webhook', async () => {
    const [one, two] = [await make('One'), await make('Two')];
    const event = { event_source: 'CreatedProjectActivity' } as const;
    const config = await domain.run((em, actor) => createWebhookConfig(em, actor, one, event));
    expect(await domain.rejection((em, actor) => createWebhookConfig(em, actor, one, event))).toEqual({
      event_source: ['This webhook already has a configuration for this event.'],
    });
    expect(await domain.rejection((em, actor) => updateWebhookConfig(em, actor, two, config, { active: false }))).toBe(
      'Not found.',
    );
    expect(await domain.rejection((em, actor) => removeWebhookConfig(em, actor, two, config))).toBe('Not found.');
    await domain.run((em, actor) => updateWebhookConfig(em, actor, one, config, event));
  });
});
