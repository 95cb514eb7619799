import fc from 'fast-check';
import { parse } from 'yaml';

import { anyCharacter } from '#test/support/any-character.js';
import { scalar } from '#files/yaml.js';
import { exportedRow } from './exported-row.js';

const written = (row: Readonly<Record<string, unknown>>): string =>
  Object.entries(row)
    .map(([name, value], at) => `${at === 0 ? '- ' : '  '}${name}: ${scalar(value)}\n`)
    .join('');

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.stringMatching(/^[a-z:#'"\-|>&*!%@` \n\t\\]{0,40}$/),
);
const value = fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.array(text));
const row = fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,6}$/), value, { minKeys: 1, maxKeys: 5 });

describe('A row of YAML as exports write it', () => {
  it('is read as the parser of the whole language reads it', () => {
    fc.assert(
      fc.property(row, (values) => {
        const read = exportedRow(written(values));
        if (read) expect([read]).toEqual(parse(written(values)));
      }),
      { seed: 20_261_121, numRuns: 2000 },
    );
  });

  it('is known as one', () => {
    const values = {
      id: 'CT1',
      text: 'Two\n\nlines\n',
      title: 'A "title" with: #signs',
      tags: ['a', 'b'],
      active: true,
    };
    expect(exportedRow(written(values))).toEqual(values);
  });

  it.each([
    ['a plain scalar', '- id: CT1\n'],
    ['an alias', '- id: *other\n'],
    ['a tag', '- id: !!str "CT1"\n'],
    ['a key that is there twice', '- id: "CT1"\n  id: "CT2"\n'],
    ['a key of an object that is there twice', '- list: {"a":1,"a":2}\n'],
    ['a number that is written in another way', '- number: 1.0\n'],
    ['a folded block', '- text: >-\n    one\n'],
    ['a block with its own indentation', '- text: |2-\n    one\n    two\n'],
    ['a block whose first line is indented', '- text: |-\n      one\n    two\n'],
    ['lists that are nested beyond reason', `- list: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`],
    ['spaces at the end', '- id: "CT1" \n'],
    ['a comment', '- id: "CT1" # first\n'],
    ['no end of the line', '- id: "CT1"'],
    ['another indentation', '-   id: "CT1"\n    title: "x"\n'],
  ])('is not one with %s', (_what, source) => {
    expect(exportedRow(source)).toBeUndefined();
  });

  it('is read in a moment, however many members it has', () => {
    const letters = (number: number): string =>
      number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
    const values = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`m${letters(at)}`, at]));
    const source = written(values);
    // Processor time: what else the machine does just now is of no interest.
    const before = process.cpuUsage();
    const read = exportedRow(source);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
    expect(Object.keys(read ?? {})).toHaveLength(200_000);
  });
});
