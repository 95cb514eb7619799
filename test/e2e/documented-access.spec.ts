import { EntityManager } from '@mikro-orm/postgresql';
import { createSetupLink } from '#domain/access/setup-link/setup-link.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { runGate } from '../packages/run-gate.js';
import { useTestApi } from '../support/api.js';
import { bodyOf, type Json } from '../support/client.js';
import { PASSWORD } from '../support/passwords.js';
import { makeProject } from '../support/projects.js';
import { setPasswordOf } from '../support/set-password.js';
import { commandsIn, documentation, requestOf, send, type ShellRequest } from '../support/shell-examples.js';

const test = useTestApi();

const commandsOf = (page: string, program: string): string[][] =>
  commandsIn(documentation(page)).filter(([word]) => word === program);
const requestIn = (page: string): ShellRequest => requestOf(commandsOf(page, 'curl')[0] ?? []);
const bodyIn = ({ body = '' }: ShellRequest) => JSON.parse(body) as Record<string, Json>;
const sent = async (request: ShellRequest) => {
  const { admin } = test.organization;
  const answer = await send(request, { origin: test.origin, token: admin.token, password: PASSWORD });
  return { status: answer.status, body: (await answer.json()) as Record<string, Json> };
};

describe('The pages about access', () => {
  it('show how to create the first user with the token of the setup link', async () => {
    const request = requestIn('docs/use/sign-in.md');
    const em = test.running.app.get(EntityManager);
    const { token } = await acrossOrganizations(em, 'operate the deployment', createSetupLink);
    const answer = await sent({ ...request, body: request.body?.replace('"…"', JSON.stringify(token)) });
    expect(answer).toMatchObject({ status: 201 });
    const { email, organization } = bodyIn(request);
    const users = await bodyOf(test.api.get<{ results: Json[] }>('/users/', { email: String(email) }));
    expect(users.results).toMatchObject([{ email, is_superuser: true }]);
    const named = await test.database.query('SELECT 1 FROM organization WHERE name = $1', [organization]);
    expect(named).toHaveLength(1);
  });

  it('show how to create a limited token, also for a gate in CI, and run the gate with it', async () => {
    const { id: project } = await makeProject(test);
    const fields = { email: 'admin@example.com', first_name: 'Ada', last_name: 'Admin', role: 'UR1' };
    const { id } = await bodyOf(test.api.post<{ id: number }>('/users/', { ...fields, is_superuser: true }), 201);
    await setPasswordOf(test, id, PASSWORD);
    // The pages use the first project of an organization.
    expect(project).toBe(1);

    for (const page of ['docs/use/tokens.md', 'docs/integrate/ci.md']) {
      const request = requestIn(page);
      const { status, body } = await sent(request);
      const { name, scopes, projects } = bodyIn(request);
      expect({ page, status, body }).toMatchObject({ page, status: 201, body: { name, scopes, projects } });
      // No one has answered the survey of this project, which is what the page says about the status 3.
      const gates = commandsOf(page, 'npx').map((words) => words.slice(1));
      expect(gates).toHaveLength(page.endsWith('ci.md') ? 1 : 0);
      for (const [tool, ...options] of gates) {
        expect(tool).toBe('merlon-gate');
        const words = options.map((word) => word.replace('https://merlon.example.com', test.origin));
        expect(await runGate(words, { MERLON_TOKEN: String(body['token']) })).toMatchObject({ status: 3, stderr: '' });
      }
    }
  });

  it('show how to store an identity provider', async () => {
    await makeProject(test);
    await bodyOf(test.api.post('/groups/', { name: 'Security' }), 201);
    const request = requestIn('docs/use/identity-providers.md');
    const { client_secret: _, ...fields } = bodyIn(request);
    expect(await sent(request)).toMatchObject({ status: 201, body: fields });
  });
});
