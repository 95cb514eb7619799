// Shows hostile HTML and links in a browser that enforces the policy, and lints files that bypass the component.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import { build } from 'vite';
import { openSite, refusals } from './support/browser.mjs';

await mkdir('src', { recursive: true });
await writeFile('tsconfig.json', JSON.stringify({ compilerOptions: { jsx: 'react-jsx', module: 'esnext' } }));
await writeFile('index.html', '<div id="root"></div><script type="module" src="/src/main.tsx"></script>');
await writeFile(
  'src/main.tsx',
  `import { createRoot } from 'react-dom/client';
   import { flushSync } from 'react-dom';
   import { UserHtml, UserLink } from './user-html';
   const root = createRoot(document.getElementById('root')!);
   Object.assign(window, {
     show: (html: string) => flushSync(() => root.render(<UserHtml html={html} />)),
     link: (href: string) => flushSync(() => root.render(<UserLink href={href} text="x" />)),
   });`,
);
await build({ configFile: false, logLevel: 'silent' });
const policy = "require-trusted-types-for 'script'; trusted-types dompurify";
const { page, seen, close } = await openSite('dist', policy);
const shown = (html) => page.evaluate((text) => (show(text), document.querySelector('#root').innerHTML), html);
const linked = (href) => page.evaluate((text) => (link(text), document.querySelector('#root').innerHTML), href);

assert.equal(await shown('<strong>a</strong>'), '<div><strong>a</strong></div>');
assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('strong')).fontWeight), '700');
for (const href of ['https://a.example/', 'http://a.example/', 'mailto:a@example.com']) {
  assert.equal(await shown(`<a href="${href}">x</a>`), `<div><a href="${href}">x</a></div>`);
  assert.equal(await linked(href), `<a href="${href}" rel="noopener nofollow">x</a>`);
}
const HOSTILE = {
  '<img src=x onerror=alert(1)>': '<div></div>',
  '<a href="javascript:alert(1)">x</a>': '<div><a>x</a></div>',
  '<a href=" java\nscript:alert(1)">x</a>': '<div><a>x</a></div>',
  '<a href="data:text/html,x">x</a>': '<div><a>x</a></div>',
  '<svg><script>alert(1)</script></svg>': '<div></div>',
  '<p data-x="1" aria-label="x">a</p>': '<div><p>a</p></div>',
  '<p style="color:red" class="a" id="b" onclick="alert(1)">a</p>': '<div><p>a</p></div>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>': '<div></div>',
  '<form action="https://evil.test"><input name="a"></form>': '<div></div>',
};
for (const [html, expected] of Object.entries(HOSTILE)) assert.equal(await shown(html), expected, html);
for (const href of [
  'javascript:alert(1)',
  'data:text/html,x',
  'JAVASCRIPT:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:x',
  '/a',
  '',
])
  assert.equal(await linked(href), '<span>x</span>', href);
await page.waitForTimeout(0);
assert.deepEqual(seen, { violations: [], dialogs: [], errors: [], warnings: [] });
assert.deepEqual(await refusals(page), ['TypeError', 'TypeError']);
await close();

const lint = async (code, file = 'src/other.tsx') => {
  const [{ messages }] = await new ESLint().lintText(code, { filePath: path.resolve(file) });
  return messages.map(({ ruleId }) => ruleId);
};
const [component] = await new ESLint().lintFiles(['src/user-html.tsx']);
assert.deepEqual(component.messages, []);
assert.deepEqual(await lint('export const A = () => <b>a</b>;'), []);
for (const [rule, code] of [
  ['react/no-danger', 'export const A = ({ h }) => <b dangerouslySetInnerHTML={{ __html: h }} />;'],
  ['no-restricted-properties', 'document.body.innerHTML = location.hash;'],
  ['no-restricted-properties', 'document.body.outerHTML = location.hash;'],
  ['no-restricted-properties', "document.body.insertAdjacentHTML('beforeend', location.hash);"],
  ['no-restricted-properties', 'document.write(location.hash);'],
  ['no-restricted-properties', 'document.writeln(location.hash);'],
])
  assert.deepEqual(await lint(code), [rule], code);
assert.deepEqual(await lint('document.body.innerHTML = location.hash;', 'src/user-html.tsx'), [
  'no-restricted-properties',
]);
