import { globSync } from 'node:fs';
import path from 'node:path';
import { useTestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { committedDocument, operationsOf } from '../support/document.js';
import { makeProject } from '../support/projects.js';
import { commandsIn, documentation, jsonIn, requestOf, sectionOf, send } from '../support/shell-examples.js';

const test = useTestApi();
const root = path.resolve(import.meta.dirname, '../..');
const PAGES = globSync('docs/{use,integrate,operate}/*.md', { cwd: root });

const plain = (address: string): string => address.replace(/\{\w+\}/g, '{}');
const KNOWN = new Set(
  operationsOf(committedDocument()).map(({ method, path: address }) => `${method} ${plain(address)}`),
);

/** The requests that a page names in its text, such as `POST /projects/{id}/survey/draft/`. */
const requestsIn = (page: string): string[] =>
  [...documentation(page).matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[\w/{}.-]*\/)`/g)].map(
    ([, method = '', address = '']) => `${method} ${address}`,
  );

const isKnown = (request: string): boolean => {
  const [method = '', address = ''] = request.split(' ');
  return ['', '/api/v2'].some((prefix) => KNOWN.has(`${method} ${prefix}${plain(address)}`));
};

describe('The pages for users, integrators and operators', () => {
  it('name only requests that exist', () => {
    const named = PAGES.flatMap((page) => requestsIn(page).map((request) => ({ page, request })));
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ request }) => !isKnown(request))).toEqual([]);
  });

  it('show how to search with a command that works', async () => {
    const [curl = []] = commandsIn(documentation('docs/use/search.md'));
    const { url, ...request } = requestOf(curl);
    const headers = { Authorization: `Token ${test.organization.admin.token}` };
    const answer = await send(
      { ...request, headers, url: url.replace('$MERLON', 'http://localhost:3000') },
      { origin: test.origin, token: '' },
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"countermeasure"');
  });

  it('show how to store a connector of an issue tracker and connect a project', async () => {
    const page = documentation('docs/integrate/trackers.md');
    const [connector = {}] = jsonIn(sectionOf(page, 'Set up a connector'));
    const [connection = {}] = jsonIn(sectionOf(page, 'Connect a project'));
    // The page says that storing it also needs a name.
    const named = { ...connector, name: 'GitHub' };
    const stored = await bodyOf(test.api.post<{ id: number }>('/connectors/issue-tracker/', named), 201);
    const project = await makeProject(test);
    const answer = await test.api.post(`/projects/${project.id}/issue-tracker-connections/`, {
      ...connection,
      connector: stored.id,
    });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
  });
});
