import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformSync, version } from '@swc/core';

import { swcOptions } from './swc-options.ts';

const { imports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** The path of the TypeScript source of a file URL; undefined if there is none. */
const sourceOf = (url) => {
  const source = url.replace(/\.js$/, '.ts');
  return source !== url && existsSync(fileURLToPath(source)) ? source : undefined;
};

/** The mutant of `npm run test:mutants` that this run has to notice. */
const mutant = JSON.parse(process.env.MERLON_TEST_MUTANT ?? 'null');

/** The text of a source, with the change if it is the mutant's file. */
const textOf = (filename) => {
  const text = readFileSync(filename, 'utf8');
  return mutant && filename.endsWith(`/${mutant.file}`) ? text.replace(mutant.search, () => mutant.replacement) : text;
};

/** Processes of one run share what they transformed: a command of the tests would spend a quarter of its time on it. */
const transformed = path.join(import.meta.dirname, '../../../node_modules/.merlon/transformed');
mkdirSync(transformed, { recursive: true });
const options = JSON.stringify([version, swcOptions]);

/** The JavaScript of a source, from the cache if this text has been transformed before. */
function javascriptOf(filename) {
  const text = textOf(filename);
  const cached = path.join(
    transformed,
    `${createHash('sha256').update(`${options}${filename}\n${text}`).digest('hex')}.js`,
  );
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const { code } = transformSync(text, { ...swcOptions, filename });
  const written = `${cached}.${process.pid}`;
  writeFileSync(written, code);
  renameSync(written, cached);
  return code;
}

process.setSourceMapsEnabled(true);

/** From here on, this process imports our TypeScript directly. */
registerHooks({
  resolve(specifier, context, next) {
    const ours = context.parentURL?.startsWith('file:') && !context.parentURL.includes('/node_modules/');
    if (ours && specifier.startsWith('.')) {
      const url = sourceOf(new URL(specifier, context.parentURL).href);
      if (url) return { url, shortCircuit: true };
    }
    if (ours && specifier.startsWith('#')) {
      // Files of the condition `source` exist only with their TypeScript extension, which Node does not try.
      for (const [pattern, { source }] of Object.entries(imports)) {
        const [before, after] = pattern.split('*');
        if (after === undefined ? specifier !== pattern : !specifier.startsWith(before)) continue;
        const target = new URL(`../../../${source.replace('*', specifier.slice(before.length))}`, import.meta.url).href;
        return { url: sourceOf(target) ?? target, shortCircuit: true };
      }
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
    const filename = fileURLToPath(url);
    if (!filename.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: javascriptOf(filename), shortCircuit: true };
  },
});
