import { expect, hasBrowser, NO_BROWSER } from '../support/browser.js';
import { bodyOf } from '../support/client.js';
import { accessibilityErrors, faultsOfPages, useConsole } from '../support/console.js';
import { makeCountermeasure } from '../support/factories.js';
import type { List } from '../support/resources.js';

if (!hasBrowser) process.stderr.write(`The library of the console is not tried in a browser: ${NO_BROWSER}.\n`);

interface Item {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly type: string;
  readonly phase: string;
}

interface AnswerRow {
  readonly id: string;
  readonly text: string;
}

(hasBrowser ? describe : describe.skip)('The library in the console', () => {
  const the = useConsole();
  const { test, page, open } = the;
  const HOSTILE = '<img src=x onerror=alert(1)>';

  const item = (path: string, query = {}): Promise<Item> => bodyOf(test.api.get<Item>(path, query));
  const customize = (path: string, changes: object) => bodyOf(test.api.patch<Item>(path, changes));
  const firstPart = async (task: string, kind: 'amendments' | 'implementations'): Promise<string> =>
    (await bodyOf(test.api.get<List<Item>>(`/library/tasks/${task}/${kind}/`))).results[0]?.id ?? '';
  const version = (name: string, field: string) => page().getByRole('figure', { name: `${name}: ${field}` });
  const field = (label: string) => page().getByRole('region', { name: label, exact: true });
  const compare = (title: string) => page().getByRole('link', { name: `Compare with the original: “${title}”` });

  it('compares a customized countermeasure with its original line by line, and restores the original', async () => {
    const path = '/library/tasks/T2/';
    const original = await item(path);
    const title = `Ours ${HOSTILE}`;
    const text = `${original.text}\n\nOur last line ${HOSTILE}`;
    await customize(path, { title, text, priority: 2, tags: ['ours'], phase: original.phase === 'X3' ? 'X4' : 'X3' });
    await open('/library/tasks/T2');
    await compare(title).press('Enter');
    await page().waitForURL(/\/library\/tasks\/T2\/original$/);
    await version('Original', 'Title').getByText(original.title).waitFor();
    await version('Your organization', 'Title').getByText(title).waitFor();
    // Only the lines that were added are marked, although another line follows the last one of the original.
    await expect(version('Your organization', 'Text').locator('ins')).toHaveText(`\nOur last line ${HOSTILE}`);
    await expect(version('Original', 'Text').locator('del')).toHaveCount(0);
    await expect(version('Your organization', 'Priority').locator('ins')).toHaveText('2');
    await expect(version('Your organization', 'Tags').locator('ins')).toHaveText('ours');
    await field('Phase').waitFor();
    for (const label of ['Weakness', 'Level', 'Sources', 'Applies when', 'Active'])
      await expect(field(label)).toHaveCount(0);
    await page().getByRole('button', { name: 'Restore the original' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Restore the original' }).click();
    await page().waitForURL(/\/library\/tasks\/T2$/);
    await page().getByRole('heading', { level: 2, name: original.title }).waitFor();
    await expect(compare(original.title)).toHaveCount(0);
    expect(await item(path)).toMatchObject({ title: original.title, text: original.text, type: 'Built-in' });
  });

  it.each([
    ['additional requirement', 'amendments', 'amendments', 'Additional'],
    ['how-to', 'implementations', 'how-tos', 'How-tos'],
  ] as const)('compares a customized %s with its original, for those who only read too', async (...args) => {
    const [, path, kind, tab] = args;
    const id = await firstPart('T1', path);
    const { title } = await item(`/library/tasks/T1/${path}/${id}/`);
    await customize(`/library/tasks/T1/${path}/${id}/`, { title: 'Our way', text: 'Shorter.' });
    const { id: reader } = await test.newUser();
    await open('/library/tasks/T1', reader);
    await page()
      .getByRole('tab', { name: new RegExp(`^${tab}`) })
      .click();
    await compare('Our way').click();
    await page().waitForURL(new RegExp(`/original/${kind}/${id}$`));
    await version('Original', 'Title').getByText(title).waitFor();
    await version('Your organization', 'Text').getByText('Shorter.').waitFor();
    await expect(page().getByRole('button', { name: 'Restore the original' })).toHaveCount(0);
    await page().getByRole('link', { name: 'Back to T1' }).click();
    await page().waitForURL(/\/library\/tasks\/T1$/);
  });

  it('creates and deletes an additional requirement and a how-to', async () => {
    const { id } = await makeCountermeasure(test.api);
    await open(`/library/tasks/${id}`);
    const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
    for (const [tab, link, path] of [
      ['Additional', 'New additional requirement', 'amendments'],
      ['How-tos', 'New how-to', 'implementations'],
    ] as const) {
      await page()
        .getByRole('tab', { name: new RegExp(`^${tab}`) })
        .click();
      await page().getByRole('link', { name: link }).press('Enter');
      await press('Create');
      const title = page().getByLabel('Title');
      await title.and(page().locator('[aria-invalid=true]:focus')).waitFor();
      await title.fill(`Our ${tab} ${HOSTILE}`);
      await page().getByRole('textbox', { name: 'Text' }).fill('What **we** do.');
      await press('Create');
      await page().getByText('Saved.', { exact: true }).first().waitFor();
      await page()
        .getByRole('tab', { name: new RegExp(`^${tab}`) })
        .click();
      await page().getByRole('tabpanel').getByText('What we do.').waitFor();
      const parts = `/library/tasks/${id}/${path}/`;
      const { results } = await bodyOf(test.api.get<List<Item>>(parts));
      expect(results).toMatchObject([{ title: `Our ${tab} ${HOSTILE}`, text: 'What **we** do.', type: 'Custom' }]);
      await page()
        .getByRole('link', { name: `Edit “Our ${tab} ${HOSTILE}”` })
        .click();
      await press('Delete');
      await page().getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page().waitForURL(new RegExp(`/library/tasks/${id}$`));
      expect((await bodyOf(test.api.get<List<Item>>(parts))).results).toEqual([]);
    }
  });

  it('moves additional requirements by mouse and by keys, also past what others have moved', async () => {
    const { id: task } = await makeCountermeasure(test.api);
    const path = `/library/tasks/${task}/amendments/`;
    const make = async (title: string, fields = {}): Promise<string> =>
      (await bodyOf(test.api.post<Item>(path, { title, text: 'Do it.', ...fields }))).id;
    const [a, hidden, b, c] = [
      await make('First'),
      await make('Hidden', { active: false }),
      await make(HOSTILE),
      await make('Third'),
    ];
    const ids = async () => (await bodyOf(test.api.get<List<Item>>(path))).results.map(({ id }) => id);
    await bodyOf(test.api.patch(`${path}order/`, { order: [a, 'SP', hidden, b, c] }));
    await open(`/library/tasks/${task}`);
    await page().getByRole('tab', { name: 'Additional' }).click();
    const titles = page().getByRole('tabpanel').getByRole('heading', { level: 3 });
    await expect(titles).toHaveText(['First', HOSTILE, 'Third']);
    const move = (direction: string, title: string) =>
      page().getByRole('button', { name: `Move ${direction}: ${title}`, exact: true });
    await move('up', 'Third').focus();
    await page().keyboard.press('Enter');
    await page().getByText('“Third” is now number 2 of 3.').waitFor();
    await expect(titles).toHaveText(['First', 'Third', HOSTILE]);
    await expect(move('up', 'Third')).toBeFocused();
    await page().keyboard.press('Enter');
    await expect(titles).toHaveText(['Third', 'First', HOSTILE]);
    await expect(move('up', 'Third')).toBeFocused();
    await expect(move('up', 'Third')).toHaveAttribute('aria-disabled', 'true');
    expect(await ids()).toEqual([c, a, hidden, b]);
    await bodyOf(test.api.patch(`${path}order/`, { order: [hidden, b, 'SP', c, a] }));
    await move('down', 'Third').click();
    await expect(titles).toHaveText([HOSTILE, 'First', 'Third']);
    await expect(move('down', 'Third')).toBeFocused();
    expect(await ids()).toEqual([hidden, b, a, c]);
    expect(await accessibilityErrors(page())).toEqual([]);
  });

  it('says that an item is the original, and that an unknown one does not exist', async () => {
    await open('/library/tasks/T5/original');
    await page().getByText('Your organization has not changed this').waitFor();
    await page().goto(`${test.origin}/library/tasks/T999999/original`);
    await page().getByText('Not found').first().waitFor();
  });

  it('says in sentences to which projects a countermeasure applies, and how that was changed', async () => {
    const { results } = await bodyOf(test.api.get<List<AnswerRow>>('/library/answers/', { page_size: 3, page: 1 }));
    const [one, two, three] = results as [AnswerRow, AnswerRow, AnswerRow];
    const conditions = [
      { required: [one.id, two.id], excluded: [three.id] },
      { required: [], excluded: [three.id] },
    ];
    const sentences = [`“${one.text}” and “${two.text}”, but not “${three.text}”`, `Unless “${three.text}”`];
    await customize('/library/tasks/T7/', { match_conditions: conditions });
    await open('/library/tasks/T7');
    await page().getByRole('tab', { name: 'Applies when' }).click();
    await expect(page().getByRole('tabpanel').getByRole('listitem')).toHaveText(sentences);
    await page()
      .getByRole('link', { name: /^Compare/ })
      .click();
    await expect(version('Your organization', 'Applies when').locator('ins')).toHaveText(sentences.join('\n'));
    const { id } = await makeCountermeasure(test.api);
    await page().goto(`${test.origin}/library/tasks/${id}`);
    await page().getByRole('tab', { name: 'Applies when' }).click();
    await page().getByText('No answer of a survey adds it to a project.').waitFor();
  });

  it('puts versions next to each other on a desk, one below the other on a phone, and is accessible', async () => {
    await customize('/library/tasks/T28/', { title: 'Ours' });
    const howTo = await firstPart('T28', 'implementations');
    await customize(`/library/tasks/T28/implementations/${howTo}/`, { text: 'Ours.' });
    const paths = [
      '/library/tasks/T28/original',
      `/library/tasks/T28/original/how-tos/${howTo}`,
      '/library/tasks/T28',
      '/library/tasks/T28/new/how-tos',
    ];
    expect(await faultsOfPages(the, paths)).toEqual([]);
    await page().goto(`${test.origin}${paths[0]}`);
    for (const [width, isBeside] of [
      [1280, true],
      [390, false],
    ] as const) {
      await page().setViewportSize({ width, height: 800 });
      const [before, after] = [
        await version('Original', 'Title').boundingBox(),
        await version('Your organization', 'Title').boundingBox(),
      ];
      expect((before?.y ?? 0) === (after?.y ?? 1)).toBe(isBeside);
    }
  }, 120_000);
});
