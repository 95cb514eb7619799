// Serves a folder with a policy, and opens it in Chromium. The run ends with status 77 if the machine has none.
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { hasBrowser, NO_BROWSER, startBrowser } from '../../support/browser.ts';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Chromium, for checks with a server of their own. */
export function openBrowser() {
  if (!hasBrowser) {
    process.stderr.write(`${NO_BROWSER}\n`);
    process.exit(77);
  }
  return startBrowser();
}

export async function openSite(folder, policy) {
  const browser = await openBrowser();
  async function answer(request, response) {
    const name = new URL(request.url, 'http://a').pathname.replace(/^\/$/, '/index.html');
    const content = await readFile(path.join(folder, name)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, {
      'Content-Type': TYPES[path.extname(name)] ?? 'text/plain',
      'Content-Security-Policy': policy,
    });
    response.end(content);
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage();
  const seen = { violations: [], dialogs: [], errors: [], warnings: [] };
  page.on('dialog', (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('console', (message) => message.type() === 'warning' && seen.warnings.push(message.text()));
  await page.exposeFunction('reportViolation', (text) => seen.violations.push(text));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      reportViolation(`${event.violatedDirective} ${event.sample}`),
    ),
  );
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, seen, close };
}

/** What the page throws at strings in sinks, and at further policies. */
export const refusals = (page) =>
  page.evaluate(() =>
    [() => (document.body.innerHTML = '<b>'), () => trustedTypes.createPolicy('other', {})].map((call) => {
      try {
        call();
        return 'nothing';
      } catch (error) {
        return error.name;
      }
    }),
  );
