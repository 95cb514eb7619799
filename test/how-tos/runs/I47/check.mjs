// Compiles an application with the service, binds hostile values in a browser that enforces the policy, and lints bypasses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import linkerPlugin from '@angular/compiler-cli/linker/babel';
import { transformAsync } from '@babel/core';
import { ESLint } from 'eslint';
import { build } from 'vite';
import { openSite, refusals } from './support/browser.mjs';

await writeFile(
  'src/main.ts',
  `import { ApplicationRef, Component, signal } from '@angular/core';
   import { bootstrapApplication } from '@angular/platform-browser';
   import { Video } from './app/video';
   import { VideoEmbeds } from './app/video-embeds';

   const html = signal(''), href = signal('https://a.example/'), id = signal('dQw4w9WgXcQ');
   @Component({
     selector: 'app-root',
     imports: [Video],
     template: '<p [innerHTML]="html()"></p><a [href]="href()">x</a><app-video [id]="id()" />',
   })
   class Root {
     readonly html = html;
     readonly href = href;
     readonly id = id;
   }
   void bootstrapApplication(Root).then((application: ApplicationRef) => {
     const embeds = application.injector.get(VideoEmbeds);
     Object.assign(window, {
       show: (values: Record<string, string>) => {
         if ('html' in values) html.set(values['html']);
         if ('href' in values) href.set(values['href']);
         application.tick();
       },
       embed: (value: string) => {
         try {
           embeds.urlFor(value);
           return 'accepted';
         } catch (error) {
           return (error as Error).message;
         }
       },
     });
   });`,
);
await writeFile(
  'tsconfig.json',
  JSON.stringify({
    compilerOptions: {
      strict: true,
      target: 'es2022',
      module: 'es2022',
      moduleResolution: 'bundler',
      outDir: 'out',
      types: [],
    },
    angularCompilerOptions: { strictTemplates: true },
    files: ['src/main.ts'],
  }),
);
execFileSync(process.execPath, ['node_modules/@angular/compiler-cli/bundles/src/bin/ngc.js'], { stdio: 'inherit' });
await writeFile('index.html', '<app-root></app-root><script type="module" src="/out/main.js"></script>');
// Angular's packages are compiled in part; this completes them, as Angular's own build does.
const linker = {
  name: 'linker',
  async transform(code, id) {
    if (!id.includes('/@angular/') || !code.includes('ɵɵngDeclare')) return undefined;
    const plugins = [[linkerPlugin, { linkerJitMode: false }]];
    return (await transformAsync(code, { plugins, configFile: false, compact: false, filename: id })).code;
  },
};
await build({ configFile: false, logLevel: 'silent', plugins: [linker] });

const policy = "require-trusted-types-for 'script'; trusted-types angular angular#unsafe-bypass";
const { page, seen, close } = await openSite('dist', policy);
await page.waitForFunction(() => 'show' in globalThis);
const video = page.locator('iframe');
assert.equal(await video.getAttribute('src'), 'https://player.example.com/embed/dQw4w9WgXcQ');
assert.equal(await video.getAttribute('sandbox'), 'allow-scripts allow-same-origin');
const shown = (values) =>
  page.evaluate((given) => {
    show(given);
    return { html: document.querySelector('p').innerHTML, href: document.querySelector('a').getAttribute('href') };
  }, values);
assert.deepEqual(await shown({ html: '<b>a</b>', href: 'https://b.example/' }), {
  html: '<b>a</b>',
  href: 'https://b.example/',
});
const sanitizing = () => seen.warnings.some((text) => /sanitizing/i.test(text));
assert.ok(!sanitizing(), seen.warnings.join());

const HOSTILE = {
  '<img src=x onerror=alert(1)>': '<img src="x">',
  '<svg><script>alert(1)</script></svg>': '',
  '<a href="javascript:alert(1)">x</a>': '<a href="unsafe:javascript:alert(1)">x</a>',
  '<b style="color:red" onclick="alert(1)">a</b>': '<b>a</b>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>': '',
  '{{constructor.constructor("alert(1)")()}}': '{{constructor.constructor("alert(1)")()}}',
};
for (const [html, expected] of Object.entries(HOSTILE)) assert.equal((await shown({ html })).html, expected, html);
for (const href of ['javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' javascript:alert(1)'])
  assert.equal((await shown({ href })).href, `unsafe:${href}`);
await page.evaluate(() => document.querySelector('a').click());
assert.ok(sanitizing(), seen.warnings.join());
assert.deepEqual({ ...seen, warnings: [] }, { violations: [], dialogs: [], errors: [], warnings: [] });

assert.equal(await page.evaluate(() => embed('dQw4w9WgXcQ')), 'accepted');
for (const id of [
  '../../x',
  'dQw4w9WgXcQ?a=b',
  'dQw4w9WgXcQ\n',
  '../../../ab',
  'dQw4w9WgXc',
  '',
  'javascript:',
  '%2e%2e%2f%2',
])
  assert.equal(await page.evaluate((value) => embed(value), id), 'not a video id', id);
assert.deepEqual(await refusals(page), ['TypeError', 'TypeError']);
await close();

const lint = async (code, file = 'src/app/other.ts') => {
  const [{ messages }] = await new ESLint().lintText(code, { filePath: path.resolve(file) });
  return messages.map(({ ruleId }) => ruleId);
};
for (const { messages } of await new ESLint().lintFiles(['src/app/*.ts'])) assert.deepEqual(messages, []);
for (const code of [
  'sanitizer.bypassSecurityTrustHtml(value);',
  'sanitizer.bypassSecurityTrustResourceUrl(value);',
  "sanitizer['bypassSecurityTrustScript'](value);",
  'const bypass = sanitizer.bypassSecurityTrustUrl;',
  "element.insertAdjacentHTML('beforeend', value);",
  'element.innerHTML = value;',
  'element.outerHTML = value;',
  'document.write(value);',
  'document.writeln(value);',
])
  assert.deepEqual(await lint(code), ['no-restricted-syntax'], code);
assert.deepEqual(await lint('element.textContent = value;'), []);
