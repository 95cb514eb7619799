// Shows widgets and links of hostile input in a browser that enforces the policy, and lints files with v-html.
import assert from 'node:assert/strict';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import vue from '@vitejs/plugin-vue';
import { ESLint } from 'eslint';
import { build } from 'vite';
import { openSite, refusals } from './support/browser.mjs';

await mkdir('src');
const [block] = (await readdir('.')).filter((name) => name.endsWith('.vue'));
await rename(block, 'src/UserWidget.vue');
for (const name of ['Chart', 'Empty', 'Table'])
  await writeFile(`src/${name}Widget.vue`, `<template><p class="${name}"><b>${name}</b> widget</p></template>\n`);
await writeFile('index.html', '<div id="app"></div><script type="module" src="/src/main.js"></script>');
await writeFile(
  'src/main.js',
  `import { createApp, h, nextTick, reactive } from 'vue';
   import Widget from './UserWidget.vue';
   const props = reactive({});
   createApp({ render: () => h(Widget, props) }).mount('#app');
   window.show = async (kind, link) => {
     Object.assign(props, { kind, link });
     await nextTick();
     return document.querySelector('#app').innerHTML;
   };`,
);
await build({ configFile: false, logLevel: 'silent', plugins: [vue()] });
const policy = "require-trusted-types-for 'script'; trusted-types vue";
const { page, seen, close } = await openSite('dist', policy);
const shown = (kind, link) => page.evaluate(([a, b]) => show(a, b), [kind, link]);

const widget = (name) => `<p class="${name}"><b>${name}</b> widget</p>`;
const LINK = 'https://example.com/';
assert.equal(await shown('chart', LINK), `${widget('Chart')}<a href="${LINK}">More</a>`);
assert.equal(await shown('table', LINK), `${widget('Table')}<a href="${LINK}">More</a>`);
for (const kind of ['constructor', 'script', '__proto__', 'toString', 'iframe', 'Chart', '', null])
  assert.equal(await shown(kind, LINK), `${widget('Empty')}<a href="${LINK}">More</a>`, String(kind));
for (const link of [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' https://a',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'x\nhttps://a',
  '',
  null,
])
  assert.equal(await shown('chart', link), `${widget('Chart')}<a>More</a>`, String(link));
await page.evaluate(() => document.querySelector('a').click());
assert.deepEqual(seen, { violations: [], dialogs: [], errors: [], warnings: [] });
assert.deepEqual(await refusals(page), ['TypeError', 'TypeError']);
await close();

const lint = async (code, file = 'src/OtherPart.vue') => {
  const [{ messages }] = await new ESLint().lintText(code, { filePath: path.resolve(file) });
  return messages.filter(({ severity }) => severity === 2).map(({ ruleId }) => ruleId);
};
const [component] = await new ESLint().lintFiles(['src/UserWidget.vue']);
assert.deepEqual(
  component.messages.filter(({ severity }) => severity === 2),
  [],
);
const script = (code) => `<script setup>\n${code}\n</script>\n\n<template>\n  <p>a</p>\n</template>\n`;
assert.deepEqual(await lint(script('const a = 1;')), []);
for (const [rule, code] of [
  ['vue/no-v-html', '<template>\n  <p v-html="a" />\n</template>\n'],
  ['vue/no-v-text-v-html-on-component', '<template>\n  <MyPart v-html="a" />\n</template>\n'],
  ['vue/no-v-text-v-html-on-component', '<template>\n  <MyPart v-text="a" />\n</template>\n'],
  ['no-restricted-properties', script('document.body.innerHTML = location.hash;')],
  ['no-restricted-properties', script('document.body.outerHTML = location.hash;')],
  ['no-restricted-properties', script("document.body.insertAdjacentHTML('beforeend', location.hash);")],
  ['no-restricted-properties', script('document.write(location.hash);')],
  ['no-restricted-properties', script('document.writeln(location.hash);')],
])
  assert.ok((await lint(code)).includes(rule), code);
assert.deepEqual(await lint('document.body.innerHTML = location.hash;\n', 'src/plain.js'), [
  'no-restricted-properties',
]);
