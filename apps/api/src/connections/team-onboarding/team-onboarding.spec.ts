import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

interface Scan {
  id: number;
  connection: number | null;
  status: string;
}

const test = useTestApi();

const SCANS = '/team-onboarding/scans/';
const CONNECTIONS = '/team-onboarding/connections/';
const repository_url = 'https://git.example.com/shop';

describe('Scans', () => {
  it('creates a scan with the status no_scanner_configured, and keeps it without its connection', async () => {
    const { id: project } = await makeProject(test);
    const { id: connection } = await makeConnector(test.api, '/connectors/analysis/');
    const created = await bodyOf(test.api.post<Scan>(SCANS, { project, connection, repository_url }), 201);
    expect(created).toMatchObject({ project, connection, repository_url, status: 'no_scanner_configured' });
    await bodyOf(test.api.delete(`/connectors/analysis/${connection}/`), 204);
    expect(await bodyOf(test.api.get<Scan>(`${SCANS}${created.id}/`))).toEqual({ ...created, connection: null });
  });

  it.each([
    repository_url,
    'http://git.example.com:8080/a/b.git',
    'ssh://git@git.example.com/a',
    'git@git.example.com:a/b',
  ])('accepts the repository %s', async (url) => {
    const { id: project } = await makeProject(test);
    await bodyOf(test.api.post(SCANS, { project, repository_url: url }), 201);
  });

  it('rejects an invalid body without repeating credentials, and changes nothing', async () => {
    const { id: project } = await makeProject(test);
    const other = await test.newOrganization();
    const { id: theirs } = await makeConnector(other.api, '/connectors/analysis/');
    for (const fields of [
      { project: 999_999_999 },
      { project: (await makeProject(test, { organization: other })).id },
      { project: null },
      { connection: theirs },
      { connection: 999_999_999 },
      { connection: 'x' },
      { repository_url: '' },
      { repository_url: 'https://git.example.com' },
      { repository_url: 'https://hush@git.example.com/shop' },
      { repository_url: 'https://ada:hush@git.example.com/shop' },
      { repository_url: 'https://git.example.com/shop?token=hush' },
      { repository_url: 'file:///etc/passwd' },
      { repository_url: `https://git.example.com/${'x'.repeat(2048)}` },
    ]) {
      const answer = await changesNothing(test, () =>
        bodyOf(test.api.post<ErrorBody>(SCANS, { project, repository_url, ...fields }), 400),
      );
      expect(Object.keys(answer)).toEqual(Object.keys(fields));
      expect(JSON.stringify(answer)).not.toContain('hush');
    }
  });

  it('lets users who may edit the survey create scans, and all who see the project read them', async () => {
    const project = await makeProject(test);
    const body = { project: project.id, repository_url };
    const [architect, developer, stranger] = [await test.newUser(), await test.newUser(), await test.newUser()];
    await addMember(test, project, architect, 'PR2');
    await addMember(test, project, developer, 'PR4');
    const { id } = await bodyOf(architect.api.post<Scan>(SCANS, body), 201);
    await changesNothing(test, async () => {
      await bodyOf(developer.api.post(SCANS, body), 403);
      await bodyOf(developer.api.post(SCANS, { ...body, repository_url: 5 }), 403);
      expect(await rejectedFields(stranger.api.post<ErrorBody>(SCANS, body))).toEqual(['project']);
    });
    expect(await rowsOf(developer.api.get<List<Scan>>(SCANS))).toMatchObject([{ id }]);
    await bodyOf(stranger.api.get(`${SCANS}${id}/`), 404);
  });
});

describe('Connections for scans', () => {
  it('returns only id, name and system, to every user', async () => {
    const { id, name } = await makeConnector(test.api, '/connectors/issue-tracker/', { params: { token: 'hush' } });
    const anybody = await test.newUser();
    const rows = await rowsOf(anybody.api.get<List<{ id: number }>>(CONNECTIONS));
    expect(rows.find((row) => row.id === id)).toEqual({ id, name, system: { id: 'github' } });
  });
});
