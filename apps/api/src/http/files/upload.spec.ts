import { Agent, request } from 'node:http';
import { useTestApi } from '#test/support/api.js';
import { makeEmptyProject } from '#test/support/project-content.js';

const test = useTestApi();

/** Sends one request on the only connection of an agent. Returns the status, or fails if the connection fails. */
function statusOf(agent: Agent, method: string, path: string, type: string, body: string): Promise<number> {
  const headers = { Authorization: `Token ${test.organization.admin.token}`, 'Content-Type': type };
  return new Promise((resolve, reject) => {
    const sent = request(`${test.origin}/api/v2${path}`, { agent, method, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(body);
  });
}

describe('An uploaded form', () => {
  it('keeps the connection usable for the next request if it is rejected before its end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { id } = await makeEmptyProject(test);
    const file = '\r\nContent-Disposition: form-data; name="report_file"; filename="a.xml"\r\n\r\n';
    const project = `\r\nContent-Disposition: form-data; name="project"\r\n\r\n${id}\r\n`;
    const form = `--x${project}--x${file}${'<a>'.repeat(500_000)}\r\n--x--\r\n`;
    try {
      expect(await statusOf(agent, 'POST', '/jobs/analysis-file/', 'multipart/form-data; boundary=x', form)).toBe(400);
      expect(await statusOf(agent, 'GET', '/task-statuses/', 'application/json', '')).toBe(200);
    } finally {
      agent.destroy();
    }
  });
});
