import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { accessibilityErrors, faultsOfPages, useConsole } from '../support/console.js';
import { makeProjectWithAllCountermeasures } from '../support/project-content.js';
import { addMember, makeProject, type TestProject } from '../support/projects.js';
import type { List } from '../support/resources.js';
import type { TestUser } from '../support/api.js';

if (!hasBrowser) process.stderr.write(`Groups of the console are not tried in a browser: ${NO_BROWSER}.\n`);

const NAME = 'Grace Hopper';

(hasBrowser ? describe : describe.skip)('A grouped list of the console', () => {
  const the = useConsole();
  let project: TestProject;
  let people: readonly TestUser[];

  beforeAll(async () => {
    project = await makeProjectWithAllCountermeasures(the.test);
    const newPerson = (): Promise<TestUser> => the.test.newUser({ firstName: 'Grace', lastName: 'Hopper' });
    people = [await newPerson(), await newPerson()];
    for (const [index, person] of people.entries()) {
      await addMember(the.test, project, person, 'PR2');
      const body = { assigned_to: [person.email] };
      await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T${index + 1}/`, body));
    }
  });

  const box = (name: string) => the.page().getByRole('combobox', { name });
  const optionOf = (person: TestUser) => the.page().getByRole('option').filter({ hasText: person.email });
  const rows = () => the.page().getByRole('main').locator('li[aria-posinset]');
  const headings = () => the.page().getByRole('main').getByRole('heading', { level: 2 });

  /** All headings of the list, which is in the page as far as it is visible. */
  const allHeadings = async (): Promise<Set<string>> => {
    const found = new Set<string>();
    const list = the.page().locator('.page-scroll');
    const [height, step] = await list.evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight]);
    for (let top = 0; top < height; top += step) {
      await list.evaluate((element, y) => element.scrollTo(0, y), top);
      // What is at the new place is in the page.
      await expect
        .poll(() =>
          list.evaluate((element) => {
            const { bottom } = element.getBoundingClientRect();
            const last = [...element.querySelectorAll('li')].map((one) => one.getBoundingClientRect().bottom);
            return (
              Math.max(...last) >=
              Math.min(bottom, element.querySelector('ul')?.getBoundingClientRect().bottom ?? 0) - 1
            );
          }),
        )
        .toBe(true);
      for (const text of await headings().allTextContents()) found.add(text);
    }
    return found;
  };

  it('by weakness has the titles and sizes of all groups, also of more than a filter offers', async () => {
    type Item = { problem: { title: string } };
    const { results } = await bodyOf(
      the.test.api.get<List<Item>>(`/projects/${project.id}/tasks/`, { expand: 'problem', exclude: 'text' }),
    );
    const groups = Map.groupBy(results, ({ problem }) => problem.title);
    expect(groups.size).toBeGreaterThan(100);
    const loaded = the.page().waitForResponse(/\/library\/problems\//);
    await the.open(`/projects/${project.id}?group=problem`);
    await rows().first().waitFor();
    await loaded;
    const texts = [...groups].map(([title, items]) => `${title} ${items.length}`);
    expect([...(await allHeadings())].toSorted()).toEqual(texts.toSorted());
    expect(await accessibilityErrors(the.page())).toEqual([]);
  });

  it('and all other lists fit on a phone, however long names are', async () => {
    const long = 'A name that is as long as people like to choose them for projects of several companies';
    const { id } = await makeProject(the.test, { fields: { name: long } });
    const own = { assigned_to: [the.test.organization.admin.email] };
    await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T9/`, own));
    const paths = ['/', '/projects', '/my-work?group=problem', `/projects/${project.id}?group=problem`];
    paths.push(`/projects/${project.id}?group=assignee`, `/projects/${id}/overview`, `/projects/${id}/updates`);
    // Each is looked at on a phone in one of the two schemes.
    expect(await faultsOfPages(the, paths)).toEqual([]);
  });

  it('by phase and by status has the groups in the order of the work', async () => {
    const { results } = await bodyOf(the.test.api.get<List<{ name: string }>>('/phases/', { ordering: 'ordinal' }));
    await the.open(`/projects/${project.id}?group=phase`);
    await headings().first().waitFor();
    const shown = [...(await allHeadings())].map((text) => text.replace(/ \d+$/, ''));
    expect(shown).toEqual(results.map(({ name }) => name).filter((name) => shown.includes(name)));
    await bodyOf(the.test.api.patch(`/projects/${project.id}/tasks/T5/`, { status: 'TS1' }));
    await the.open(`/projects/${project.id}?group=status&order=-updated`);
    await expect(headings().first()).toHaveText(/^Incomplete \d+$/);
  });

  it('by assignment, and each choice of a person, tells people with the same name apart', async () => {
    const [first, second] = people as [TestUser, TestUser];
    await the.open(`/projects/${project.id}?group=assignee&q=T1`);
    // Only one of them is in this list.
    await headings().filter({ hasText: NAME }).waitFor();
    await the.open(`/projects/${project.id}?group=assignee`);
    for (const { email } of people) expect(await allHeadings()).toContain(`${NAME} (${email}) 1`);
    const page = the.page();
    await page.getByRole('button', { name: 'More filters' }).click();
    await box('Anyone').click();
    for (const person of people) await expect(optionOf(person)).toHaveCount(1);
    await optionOf(second).click();
    await expect(rows()).toHaveCount(1);
    await expect(box('Anyone')).toHaveValue(`${NAME} (${second.email})`);
    // Finding one of them does not hide that there is another.
    await box('Anyone').fill(first.email);
    await optionOf(first).click();
    await expect(box('Anyone')).toHaveValue(`${NAME} (${first.email})`);
    await expect(rows()).toHaveCount(1);
    await rows().getByRole('checkbox').check();
    await page
      .getByRole('form', { name: 'Change the selected countermeasures' })
      .getByRole('combobox', { name: 'Assigned to' })
      .fill(second.email);
    await optionOf(second).click();
    await page.getByRole('button', { name: 'Change 1' }).click();
    await expect(rows()).toHaveCount(0);
    await the.open(`/administration/activity`);
    await box('Any user').click();
    await expect(optionOf(second)).toHaveCount(1);
  });
});
