import { hasRedmine, startRedmine } from '#test/support/redmine.js';
import { type ContractTracker, describeContract } from '#test/support/tracker-contract.js';

async function start(): Promise<ContractTracker> {
  const redmine = await startRedmine();
  const { url, key } = redmine;
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { 'X-Redmine-API-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`Redmine returned ${response.status}: ${await response.text()}`);
  };
  return {
    system: 'redmine',
    access: { url, token: key },
    project: 'shop',
    type: 'Bug',
    statuses: ['New', 'Closed'],
    priorities: ['Low', 'Urgent'],
    required: { type: 'Support', field: 'cf_1', name: 'Team', values: ['Red', 'Blue'] },
    remove: ({ id }) => send('DELETE', `/issues/${id}.json`),
    move: async ({ id }) => {
      await send('PUT', `/issues/${id}.json`, { issue: { project_id: 2 } });
      return 'Stock';
    },
    createForeign: (subject) => send('POST', '/issues.json', { issue: { project_id: 1, subject } }),
    stop: () => redmine.stop(),
  };
}

describeContract('Redmine (Debian packages redmine, redmine-sqlite)', start, hasRedmine);
