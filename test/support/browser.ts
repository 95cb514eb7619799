import { type Browser, type BrowserContext, chromium, expect as untimedExpect, type Page } from '@playwright/test';

import { programInPath } from './programs.ts';

/** The shell without windows comes first: each page takes it a third of the processor time. */
const program = programInPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** Whether tests can use a browser. */
export const hasBrowser = program !== undefined;

/** The reason why tests in a browser are skipped. */
export const NO_BROWSER = 'Chromium is not in the PATH';

/** How long a page may take to show something: busy machines need it. */
const PATIENCE_MILLISECONDS = 60_000;

/** Playwright's `expect`: what it expects of a locator may still become true. */
export const expect = untimedExpect.configure({ timeout: PATIENCE_MILLISECONDS });

/** Starts a headless browser that contacts only the addresses it is sent to. Close it after use. */
export function startBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error(`No browser: ${NO_BROWSER}.`);
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({
    executablePath: program,
    // Chromium's sandbox does not work as root. The tests only open our own pages.
    chromiumSandbox: process.getuid?.() !== 0,
    // Containers have little shared memory.
    args: [...quiet, '--disable-dev-shm-usage', '--disable-quic', '--disable-gpu'],
  });
}

/** A context of its own in a browser, whose pages have as much patience as `expect`. */
export async function openContext(
  browser: Browser,
  options?: Parameters<Browser['newContext']>[0],
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  return context;
}

/** Opens Swagger UI and authorizes it: from then on, it sends this header with every request. */
export async function openSwaggerUi(page: Page, origin: string, authorization: string): Promise<void> {
  await page.goto(`${origin}/docs/`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').first().fill(authorization);
  await dialog.locator('button[type=submit]').first().click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}
