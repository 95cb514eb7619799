import type { Json } from '../support/client.js';
import { bodyOf } from '../support/client.js';
import { useDeliveries } from '../support/deliveries.js';
import { makeProject } from '../support/projects.js';
import { documentation, jsonIn } from '../support/shell-examples.js';
import { allAre, deliveriesWhere, makeConfig, makeWebhook } from '../support/webhooks.js';

/** The same with the types of the values in their place, whatever the order of names. */
const typesOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(typesOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typesOf(inner)]));
};

describe('The page about webhooks', () => {
  const running = useDeliveries('postgresql');

  it('shows a message with the names and types of a message that Merlon sends', async () => {
    const [shown = {}, ...others] = jsonIn(documentation('docs/integrate/webhooks.md'));
    expect(others).toEqual([]);
    const { test, receiver } = running;
    const project = await makeProject(test);
    const name = 'program';
    const webhook = await makeWebhook(test.api, { name, format: 'standard', url: receiver.url(name) });
    await makeConfig(test.api, webhook.id, { event_source: String(shown['type']) });
    await running.startWorker();
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { archived: true }));
    await deliveriesWhere(test.api, webhook.id, allAre('delivered'));

    const [message] = running.at(webhook).map(({ text }) => JSON.parse(text) as { data: Record<string, Json> });
    expect(typesOf(message ?? null)).toEqual(typesOf(shown));
    const { activity, url, actor } = shown['data'] as Record<string, Json>;
    expect(message).toMatchObject({ type: shown['type'], data: { activity, actor } });
    expect(message?.data['url']).toBe(String(url).replace(/\d+/, String(project.id)));
  });
});
