import type { Browser, BrowserContext, Page } from '@playwright/test';
import axe from 'axe-core';
import { type TestApi, useTestApi } from './api.ts';
import { openContext, startBrowser } from './browser.ts';
import { COOKIE, sessionOf } from './sessions.ts';
import { useForSuite } from './use-for-suite.ts';

/** Rules of WCAG 2.2 AA and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What went wrong in a page: scripts that failed, and violations of the Content-Security-Policy. */
export function watchErrors(page: Page): string[] {
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  // A rejected request is reported as an error too; tests provoke some.
  page.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) wrong.push(line.text());
  });
  return wrong;
}

/** Gives a browser the session of a user, as if they had signed in. */
export async function openSession(context: BrowserContext, test: TestApi, user: number): Promise<void> {
  await context.addCookies([{ name: COOKIE, value: await sessionOf(test, user), url: test.origin }]);
}

/** What axe finds wrong in a page, one line for each element. */
export async function accessibilityErrors(page: Page): Promise<string[]> {
  // The policy of the page allows no other scripts, but the debugger may run them.
  await page.evaluate(axe.source);
  return page.evaluate(async (tags) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await checker.run({ runOnly: tags });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, TAGS);
}

/** A browser with the console of an API. Each test has a new page, and fails if a script or the policy of it does. */
export interface ConsoleTest {
  readonly test: TestApi;
  readonly page: () => Page;
  readonly context: () => BrowserContext;
  /** Opens a page of the console with a session, by default of the first super-user. */
  readonly open: (path: string, user?: number) => Promise<void>;
}

export function useConsole(settings?: Parameters<typeof useTestApi>[0]): ConsoleTest {
  const test = useTestApi(settings);
  const browser = useForSuite<Browser>(startBrowser);
  let context: BrowserContext;
  let page: Page;
  let wrong: string[];
  beforeEach(async () => {
    context = await openContext(browser, { viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    wrong = watchErrors(page);
  });
  afterEach(async () => {
    await context.close();
    expect(wrong).toEqual([]); // no script has failed, and the policy has blocked nothing
  });
  return {
    test,
    page: () => page,
    context: () => context,
    open: async (path, user = test.organization.admin.id) => {
      await openSession(context, test, user);
      await page.goto(`${test.origin}${path}`);
    },
  };
}

/** Whether something in what scrolls up and down is wider than what is visible. */
const CUTS_OFF = `[...document.querySelectorAll('.page-scroll')].some((part) => part.scrollWidth > part.clientWidth)`;

/** Defects of pages: what axe finds, and those that are wider than the window. */
export async function faultsOfPages({ test, page, open }: ConsoleTest, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  await open('/projects');
  for (const [index, path] of paths.entries()) {
    await page().goto(`${test.origin}${path}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      // An open page follows both, so it need not be loaded again.
      await page().emulateMedia({ colorScheme });
      await page().locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      // A phone in one of the two, in turn.
      const isPhone = (index % 2 === 0) === (colorScheme === 'dark');
      await page().setViewportSize({ width: isPhone ? 360 : 1280, height: 800 });
      await page().getByRole('heading', { level: 1 }).waitFor();
      await page().getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      const errors = await accessibilityErrors(page());
      found.push(...errors.map((error) => `${path} ${colorScheme} ${error}`));
      if (await page().evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${path} is too wide`);
      if (await page().evaluate(CUTS_OFF)) found.push(`${path} cuts something off`);
    }
  }
  return found;
}
