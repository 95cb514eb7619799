import type { BrowserContext, Page } from 'playwright-core';
import axe from 'axe-core';
import type { TestApi } from './api.ts';
import { COOKIE, sessionOf } from './sessions.ts';

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
