// Source files name each other by what they are compiled to: `./x.js` is `./x.ts`, and `#domain/x.js` is
// `libs/domain/src/x.ts`, as `imports` in package.json says for the condition `source`.
const { existsSync } = require('node:fs');
const path = require('node:path');

const { imports } = require('../../../package.json');

const root = path.resolve(__dirname, '../../..');

const aliased = (request) => {
  for (const [pattern, { source }] of Object.entries(imports)) {
    if (pattern === request) return path.join(root, source);
    const [before, after] = pattern.split('*');
    if (after !== undefined && request.startsWith(before))
      return path.join(root, source.replace('*', request.slice(before.length)));
  }
  return undefined;
};

const source = (file) => (file.endsWith('.js') ? file.replace(/\.js$/, '.ts') : file);

module.exports = (request, options) => {
  const ours = !options.basedir.includes(`${path.sep}node_modules${path.sep}`);
  if (ours && request.startsWith('#')) {
    const file = aliased(request);
    if (file !== undefined) return source(file);
  }
  if (ours && request.startsWith('.')) {
    const file = source(path.resolve(options.basedir, request));
    if (file.endsWith('.ts') && existsSync(file)) return file;
  }
  return options.defaultResolver(request, options);
};
