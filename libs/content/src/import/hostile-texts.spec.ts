import fc from 'fast-check';
import { anyCharacter } from '#test/support/any-character.js';
import { countermeasureBody } from '#test/support/factories.js';
import { exportAll } from '#test/support/imports.js';
import { FILE_FORMATS } from '#domain/exchange/job/content-models.js';
import { useRoundTrips } from '#test/support/round-trips.js';

const { test, entityManager, imported, contentOf } = useRoundTrips();

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      "'",
      '\n',
      '\r',
      '\t',
      ',',
      ';',
      '=',
      ' ',
      '-',
      ':',
      '#',
      '_x000A_',
      '\u202e',
      '😀',
      '0',
      '|',
    ),
    maxLength: 20,
  }),
  fc.constantFrom(
    '=1+1',
    '＝1',
    '\n=1',
    'a;b',
    "'=1",
    "''",
    '007',
    '1e5',
    'true',
    'null',
    '~',
    '- a\n- b',
    'a\r\nb',
    ' x ',
    '\ufeffx',
    '\u2028',
    '\u05d0\u05d1',
    '|\n x',
    '"',
    '{{x}}',
    'ـ\u200f',
    '&amp;<b>',
    ']]>',
  ),
);

/** What the API takes as a text: not blank, and no character that no text may have. */
const text = hostile.filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed());

describe('Hostile texts', () => {
  it.each(FILE_FORMATS)(
    'are unchanged after export and import as %s',
    async (format) => {
      const one = await test.newOrganization();
      const other = await test.newOrganization();
      const texts = fc.sample(
        fc.tuple(
          text,
          text,
          fc.array(
            text.map((tag) => tag.slice(0, 90).toWellFormed()),
            { maxLength: 3 },
          ),
        ),
        80,
      );
      const rows = texts.map(([title, body, tags]) => countermeasureBody({ title, text: body, tags }));
      rows.push(
        countermeasureBody({ text: '😀'.repeat(100_000) }),
        countermeasureBody({ text: `${'x'.repeat(99_990)}\n'=1"\r\n` }),
      );
      await imported(one, JSON.stringify({ rows }), 'standard', 'a.json');
      const before = (await contentOf(one))['standard']?.filter(({ id }) => String(id).startsWith('C'));
      expect(before?.map((row) => row['text'])).toEqual(rows.map((row) => row['text']));
      await imported(other, await exportAll(entityManager(), one.id, format));
      expect((await contentOf(other))['standard']?.filter(({ id }) => String(id).startsWith('C'))).toEqual(before);
    },
    180_000,
  );

  it.each(['\0', '\ud800'])('are rejected with the forbidden character %j', async (bad) => {
    const one = await test.newOrganization();
    const rows = [countermeasureBody({ title: `a${bad}b` })];
    await expect(imported(one, JSON.stringify({ rows }), 'standard', 'a.json')).rejects.toThrow(/not allowed/);
  });
});
