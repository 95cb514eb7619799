import { checkLibrary } from './check-library.ts';
import type { Library } from '#content/library/schema/library-schema.js';
import { answer, component, question, validLibrary, survey } from '#test/support/valid-library.js';

const withAnswerText = (text: string): Partial<Library> => ({
  sections: survey([{ ...question, answers: [{ ...answer('A1'), text }] }]),
});

describe('Survey rules', () => {
  it.each<[string, Partial<Library>, string]>([
    [
      'an answer that adds the attribute of another answer',
      { sections: survey([{ ...question, answers: [answer('A1', ['AT2', 'AT3'])] }]) },
      'A1 adds attribute AT3, which represents answer A2',
    ],
    [
      'two answers with the same attribute',
      { sections: survey([{ ...question, answers: [answer('A1', ['AT3'])] }]) },
      'A2 adds attribute AT3, which represents answer A1',
    ],
    [
      'a component that adds the attribute of an answer that is not its own',
      { components: [{ ...component, implied_attributes: ['AT3'] }] },
      'SC1 adds attribute AT3, which represents answer A2',
    ],
    [
      'a text that is not a regular expression',
      withAnswerText('C or C++'),
      'A1 has the text "C or C++", which does not match itself as a regular expression',
    ],
    [
      'a text that does not match itself as a regular expression',
      withAnswerText('Passkeys (WebAuthn)'),
      'A1 has the text "Passkeys (WebAuthn)", which does not match itself as a regular expression',
    ],
  ])('report %s', (_case, change, sentence) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toContain(sentence);
  });
});
