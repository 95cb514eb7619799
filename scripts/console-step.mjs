// `node scripts/console-step.mjs` builds the console to dist/apps/console; `--watch` builds again whenever a source
// changes.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

import { root } from './toolchain.mjs';

const COMPRESSIBLE = /\.(js|css|svg)$/;
const isWatching = process.argv.includes('--watch');
const output = path.join(root, 'dist', 'apps', 'console');

/** Compresses the assets once, as well as possible, instead of for each response. */
const compressAssets = {
  name: 'compress-assets',
  closeBundle() {
    const folder = path.join(output, 'assets');
    for (const file of readdirSync(folder).filter((name) => COMPRESSIBLE.test(name))) {
      const bytes = readFileSync(path.join(folder, file));
      const params = { [constants.BROTLI_PARAM_QUALITY]: isWatching ? 4 : constants.BROTLI_MAX_QUALITY };
      writeFileSync(path.join(folder, `${file}.br`), brotliCompressSync(bytes, { params }));
      writeFileSync(path.join(folder, `${file}.gz`), gzipSync(bytes));
    }
  },
};

await build({
  configFile: false,
  root: path.join(root, 'apps', 'console'),
  base: './', // the API fills in the path below which it is served
  logLevel: 'warn',
  plugins: [compressAssets],
  build: {
    outDir: output,
    emptyOutDir: !isWatching, // while watching, open pages still load the assets of the build before
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the Content-Security-Policy of the page allows no data: addresses of scripts and fonts
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // they know light-dark(), which depends on the chosen colors
    rolldownOptions: {
      // Packages mark code for browsers; all of this code is.
      onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
    },
    watch: isWatching ? {} : null,
  },
});
