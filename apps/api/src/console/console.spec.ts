import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EVENTS } from '#domain/notifications/webhook/webhook.rules.js';
import { startTestApi, useTestApi } from '#test/support/api.js';
import { makeProject } from '#test/support/projects.js';
import { consoleReader } from './built-console.js';

const test = useTestApi();

const MAX_INITIAL_BYTES = 200_000;

const pageAt = async (address: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${test.origin}${address}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** The addresses of the assets that a page loads before it shows anything. */
const assetsOf = (page: string, ending: string): string[] =>
  [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address = '']) => address)
    .filter((one) => one.endsWith(ending));

describe('The console', () => {
  it.each([
    '/',
    '/projects/',
    '/projects/7/',
    '/projects/7/tasks/7-T1/',
    '/library/tasks/T1/',
    '/my-work',
    '/reports/completion-trend',
    '/administration/users/7',
    '/account',
  ])('is the page at %s', async (address) => {
    const { status, headers, text } = await pageAt(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<div id="root">');
  });

  it('allows only its own scripts, and style sheets with the nonce of the response', async () => {
    const { headers, text } = await pageAt('/');
    const directives = (headers.get('content-security-policy') ?? '').split(';');
    const [, nonce = ''] = /<meta name="nonce" content="([^"]+)"/.exec(text) ?? [];
    expect(directives).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect((await pageAt('/')).text).not.toContain(nonce);
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=/i);
  });

  it('does not depend on whether a project exists', async () => {
    const { id, name } = await makeProject(test, { fields: { name: 'Secret merger' } });
    const withoutNonce = async (address: string): Promise<string> =>
      (await pageAt(address)).text.replace(/"nonce" content="[^"]+"/, '');
    expect(await withoutNonce(`/projects/${id}/`)).toBe(await withoutNonce('/projects/999999/'));
    expect(await withoutNonce(`/projects/${id}/`)).not.toContain(name);
  });

  it('has the pages that chat messages link to', async () => {
    for (const { folder } of Object.values(EVENTS)) expect((await pageAt(`/${folder}/7/`)).status).toBe(200);
  });

  it('shows browsers that there is no such page, and returns JSON to other clients', async () => {
    const browser = await pageAt('/nowhere', { Accept: 'text/html,*/*;q=0.8' });
    expect([browser.status, browser.text]).toEqual([404, expect.stringContaining('<div id="root">')]);
    const client = await pageAt('/nowhere');
    expect([client.status, client.text]).toEqual([404, '{"detail":"Not found."}']);
    expect((await pageAt('/api/v2/nowhere/', { Accept: 'text/html' })).text).toContain('"detail"');
  });

  it('has assets that browsers may keep for a year, compressed by the build', async () => {
    const [script = ''] = assetsOf((await pageAt('/')).text, '.js');
    const { status, headers } = await pageAt(script, { 'Accept-Encoding': 'gzip, br' });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, 'br', 'Accept-Encoding']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const plain = await pageAt(script, { 'Accept-Encoding': 'identity' });
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    expect((await pageAt('/assets/none.js', { Accept: 'text/html' })).status).toBe(404);
    expect((await pageAt('/assets/..%2findex.html')).status).toBe(404);
  });

  it('loads at most 200 kB of compressed scripts before it shows the first page', async () => {
    const scripts = assetsOf((await pageAt('/')).text, '.js');
    let bytes = 0;
    for (const script of scripts) {
      const { headers } = await pageAt(script, { 'Accept-Encoding': 'br' });
      bytes += Number(headers.get('content-length'));
    }
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_INITIAL_BYTES);
  });

  it('works below the path of PUBLIC_URL', async () => {
    const behind = await startTestApi({ PUBLIC_URL: 'https://merlon.example.com/base/' });
    try {
      const text = await (await fetch(`${behind.origin}/projects/7/`)).text();
      expect(text).toContain('<meta name="base" content="/base/"');
      for (const asset of assetsOf(text, '.js')) expect(asset).toMatch(/^\/base\/assets\//);
    } finally {
      await behind.close();
    }
  });

  it('is read again when it has been built again', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'console-'));
    try {
      await mkdir(path.join(folder, 'assets'));
      await writeFile(path.join(folder, 'index.html'), 'first');
      const read = consoleReader(folder);
      expect(read().page).toBe('first');
      await writeFile(path.join(folder, 'assets', 'a.js'), 'x');
      await writeFile(path.join(folder, 'index.html'), 'second');
      const { page, assets } = read();
      expect([page, assets.get('a.js')?.bytes.toString()]).toEqual(['second', 'x']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
