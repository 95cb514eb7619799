import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** Names of code in backticks, of several words; a single word may be text of an example. */
const NAME = /`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+(?:_[A-Z]+)+)(?:\(\))?`/g;

const files = globSync('{apps,libs,test,scripts}/**/*.{ts,mjs,sql}', { cwd: root }).sort();
const lines = files.flatMap((file) =>
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text) => ({ file, text })),
);

describe('Comments', () => {
  it('name only code that exists', () => {
    const known = new Set(
      lines.flatMap(({ text }) => (COMMENT.test(text) ? text.replaceAll(NAME, '') : text).match(/\w+/g) ?? []),
    );
    const unknown = lines
      .filter(({ text }) => COMMENT.test(text))
      .flatMap(({ file, text }) =>
        [...text.matchAll(NAME)].filter(([, name = '']) => !known.has(name)).map(([name]) => `${file}: ${name}`),
      );
    expect(unknown).toEqual([]);
  });
});
