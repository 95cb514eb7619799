import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

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
    const { code } = transformSync(textOf(filename), { ...swcOptions, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
