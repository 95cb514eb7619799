import { type Field, type InputOf, optional } from './field.js';
import { choice, integer, line, objectList, references, text } from './fields.js';

const noteFields = {
  title: line({ description: 'What it is about.' }),
  text: text({ blank: true, optional: true }),
  level: integer({ minimum: 1, maximum: 3, optional: true, nullable: true }),
  state: choice(['open', 'closed'], { optional: true }),
  related: references('weakness', { optional: true }),
  parts: objectList('Part', { name: line(), place: integer({ optional: true }) }, { optional: true }),
};

type Note = InputOf<typeof noteFields>;

describe('The input type of fields', () => {
  it('reflects required, optional and nullable fields and choices', () => {
    const notes: Note[] = [
      { title: 'a' },
      { title: 'a', text: '', level: null, state: 'open', related: ['P1'], parts: [{ name: 'b' }] },
      // @ts-expect-error a required field is missing
      { text: 'a' },
      // @ts-expect-error no field has this name
      { title: 'a', txt: 'a' },
      // @ts-expect-error a field that is not nullable
      { title: null },
      // @ts-expect-error a text that the set lacks
      { title: 'a', state: 'lost' },
      // @ts-expect-error an entry of a list lacks a required field
      { title: 'a', parts: [{ place: 1 }] },
    ];
    expect(notes).toHaveLength(7);
  });

  it('has no required field if all were made optional', () => {
    const fields = optional(noteFields);
    const change: InputOf<typeof fields> = { level: 2 };
    expect(change).toEqual({ level: 2 });
    expect(Object.values(fields).every((field) => field.optional)).toBe(true);
  });

  it('is the same for fields declared in a variable or inline', () => {
    const inputOf = <F extends Readonly<Record<string, Field>>>(_fields: F, input: InputOf<F>): InputOf<F> => input;
    expect(inputOf({ title: line() }, { title: 'a' })).toEqual({ title: 'a' });
    // @ts-expect-error a required field is missing
    expect(inputOf({ title: line() }, {})).toEqual({});
  });
});

describe('A field', () => {
  it('rejects options that its type does not have', () => {
    // @ts-expect-error a text has no bounds of numbers
    expect(line({ minimun: 1 }).type).toBe('text');
  });

  it.each<[keyof Note, string, unknown, string | undefined]>([
    ['title', 'a text', 'a', undefined],
    ['title', 'a blank', '', 'This field may not be blank.'],
    ['title', '501 characters', 'a'.repeat(501), 'Ensure this field has no more than 500 characters.'],
    ['text', 'a blank', '', undefined],
    ['level', 'a number too large', 4, 'Ensure this value is less than or equal to 3.'],
    ['state', 'an unknown choice', 'lost', '"lost" is not a valid choice. Allowed: open, closed.'],
    ['related', 'a bare id', 'P1', 'Expected a list of items but got type "string".'],
    [
      'parts',
      '1,001 entries',
      Array.from({ length: 1001 }, () => ({})),
      'Ensure this field has no more than 1000 elements.',
    ],
  ])('named "%s" reports the expected error, if any, for %s', (name, _what, value, problem) => {
    expect(noteFields[name].check(value)).toBe(problem);
  });
});
