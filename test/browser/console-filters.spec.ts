import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { accessibilityErrors, useConsole } from '../support/console.js';
import { makeCountermeasure } from '../support/factories.js';
import { makeProjectWithAllCountermeasures } from '../support/project-content.js';
import { addMember, type TestProject } from '../support/projects.js';
import type { List } from '../support/resources.js';

if (!hasBrowser) process.stderr.write(`Filters of the console are not tried in a browser: ${NO_BROWSER}.\n`);

/** More values than a filter shows at once. */
const TAGS = Array.from({ length: 130 }, (_, index) => `tag ${1000 + index}`);
const LAST = 'tag 1129';

(hasBrowser ? describe : describe.skip)('A filter with many values in the console', () => {
  const the = useConsole();
  let project: TestProject;

  beforeAll(async () => {
    project = await makeProjectWithAllCountermeasures(the.test);
    for (const [task, from] of [
      ['T1', 0],
      ['T2', 50],
      ['T5', 100],
    ] as const)
      await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/${task}/`, { tags: TAGS.slice(from, from + 50) }));
  });

  const box = (name: string) => the.page().getByRole('combobox', { name });
  const option = (name: string) => the.page().getByRole('option', { name });
  const row = (task: string) =>
    the
      .page()
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`${task}(?!\\d)`) });
  const openFilters = async (): Promise<void> => {
    await the.open(`/projects/${project.id}`);
    await the.page().getByRole('button', { name: 'More filters' }).click();
  };

  it('finds those that it does not show, with counts, by keyboard, and keeps them in the address', async () => {
    await openFilters();
    const page = the.page();
    await box('Any tag').click();
    await option('tag 1000').waitFor();
    await expect(option(LAST)).toHaveCount(0);
    await page.keyboard.type('1129');
    await option(LAST).getByText('1', { exact: true }).waitFor();
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tag=tag\+1129/);
    await row('T1').waitFor({ state: 'detached' });
    await row('T5').waitFor();
    await expect(box('Any tag')).toHaveValue(LAST);
    expect(await accessibilityErrors(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear: Any tag', includeHidden: true }).click();
    await row('T1').waitFor();
  });

  it('says when it finds nothing, and shows the usual values again', async () => {
    await openFilters();
    await box('Any tag').fill('no such tag');
    await the.page().getByRole('listbox', { name: 'Any tag' }).getByText('Nothing matches the filters').waitFor();
    await box('Any tag').fill('');
    await option('tag 1000').waitFor();
  });

  it('shows the label of a value that only a link names', async () => {
    const path = `/projects/${project.id}/tasks/`;
    const query = { include: 'facets', page_size: 1 };
    type Faceted = { facets: { problem: { value: string; label: string }[] } };
    const { facets } = await bodyOf(the.test.api.get<Faceted>(path, query));
    const shown = new Set(facets.problem.map(({ value }) => value));
    const { results } = await bodyOf(
      the.test.api.get<List<{ problem: { id: string; title: string } }>>(path, { expand: 'problem' }),
    );
    const hidden = results.find(({ problem }) => !shown.has(problem.id))?.problem;
    expect(hidden).toBeDefined();
    await the.open(`/projects/${project.id}?problem=${hidden?.id}`);
    await expect(box('Any weakness')).toHaveValue(hidden?.title ?? '');
  });

  it('finds people by their e-mail address, in a project and in the own work', async () => {
    const member = await the.test.newUser({ firstName: 'Hedy', lastName: 'Lamarr' });
    await addMember(the.test, project, member, 'PR2');
    await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T7/`, { assigned_to: [member.email] }));
    await openFilters();
    await box('Anyone').fill(member.email);
    await option('Hedy Lamarr').click();
    await row('T1').waitFor({ state: 'detached' });
    await the.open('/my-work', member.id);
    await the.page().getByRole('button', { name: 'More filters' }).click();
    await box('Anyone').fill('LAMARR');
    await option('Hedy Lamarr').getByText('1', { exact: true }).waitFor();
  });

  it('finds any tag of the library', async () => {
    for (const from of [0, 50, 100]) await makeCountermeasure(the.test.api, { tags: TAGS.slice(from, from + 50) });
    const last = await makeCountermeasure(the.test.api, { tags: ['zzz only here'] });
    await the.open('/library/tasks');
    await box('Any tag').fill('ZZZ only');
    await option('zzz only here').click();
    await expect(the.page().getByRole('listitem')).toHaveCount(1);
    await the.page().getByRole('listitem').getByText(last.title).waitFor();
  });
});
