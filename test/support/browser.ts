import { type Browser, chromium, type Page } from 'playwright-core';

import { programInPath } from './programs.ts';

const program = programInPath('chromium', 'chromium-browser', 'google-chrome');

/** Whether the tests can have a browser. */
export const browserIsThere = program !== undefined;

/** Why tests in a browser do not run, for those who wonder. */
export const NO_BROWSER = 'there is no Chromium in the path';

/** A headless browser that contacts only the addresses that it is sent to; to be closed. */
export function startBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error(`No browser: ${NO_BROWSER}.`);
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({
    executablePath: program,
    // Chromium refuses to isolate what root runs; what it shows here is our own.
    chromiumSandbox: process.getuid?.() !== 0,
    // Containers give little shared memory.
    args: [...quiet, '--disable-dev-shm-usage', '--disable-quic', '--disable-gpu'],
  });
}

/** Opens Swagger UI and authorises there: from then on it sends this header with every request. */
export async function openSwaggerUi(page: Page, origin: string, authorization: string): Promise<void> {
  await page.goto(`${origin}/docs/`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').first().fill(authorization);
  await dialog.locator('button[type=submit]').first().click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}
