import {
  additionalRequirement,
  answer,
  component,
  howTo,
  question,
  regulation,
  validLibrary,
  survey,
  weakness,
  withThreat,
} from '#test/support/valid-library.js';
import type { Library } from '#content/library/schema/library-schema.js';
import { checkLibrary } from './check-library.ts';
import { sentencesOf } from './readability-rules.ts';

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

/** Long enough for a text, with one sentence of so many words at its end. */
const endingIn = (text: string, count: number): string => `${text} ${words(count)}.`;

const findings = (change: Partial<Library>): string[] => checkLibrary({ ...validLibrary, ...change });

describe('Readability rules', () => {
  it.each<[string, Partial<Library>, string]>([
    ['a weakness', { weaknesses: [{ ...weakness, text: endingIn(weakness.text, 41) }] }, 'P1'],
    ['a threat', withThreat({ text: endingIn(weakness.text, 41) }), 'TH1'],
    [
      'an additional requirement',
      { additionalRequirements: [{ ...additionalRequirement, text: endingIn(additionalRequirement.text, 41) }] },
      'TA1',
    ],
    ['a how-to', { howTos: [{ ...howTo, text: endingIn(howTo.text, 41) }] }, 'I1'],
    ['a component', { components: [{ ...component, description: endingIn('It is there.', 41) }] }, 'SC1'],
  ])('report a long sentence in %s', (_case, change, id) => {
    expect(findings(change)).toContain(
      `${id} has a sentence of 41 words ("word0 word1 word2 word3 word4 …"); at most 40 are allowed`,
    );
  });

  it('accept a sentence of 40 words', () => {
    expect(findings({ weaknesses: [{ ...weakness, text: endingIn(weakness.text, 40) }] })).toEqual([]);
  });

  it('ignore code and lists, and end a sentence at a bold heading', () => {
    const markdown = `One two.\n\n\`\`\`sh\n${words(50)}\n\`\`\`\n\n- ${words(50)}\n  ${words(50)}\n- end\n\n**Check.** Three four?`;
    expect(sentencesOf(markdown)).toEqual(['One two.', 'Check.', 'Three four?']);
  });

  it.each<[string, Partial<Library>, string]>([
    [
      'a weakness',
      { weaknesses: [{ ...weakness, text: `${weakness.text} Behaviour matters.` }] },
      'P1 spells "Behaviour" in British English',
    ],
    ['a title', withThreat({ title: 'Unauthorised access' }), 'TH1 spells "Unauthorised" in British English'],
    [
      'an answer',
      { sections: survey([{ ...question, answers: [{ ...answer('A1'), description: 'In a data centre.' }] }]) },
      'A1 spells "centre" in British English',
    ],
    [
      'the reason of a mapping',
      {
        regulations: [
          {
            ...regulation,
            mappings: [
              { section: '1.1', countermeasure: 'T1', strength: 'supports', why: 'Licences of components are listed.' },
            ],
          },
        ],
      },
      'The mapping 1.1–T1 spells "Licences" in British English',
    ],
  ])('report British spelling in %s', (_case, change, sentence) => {
    expect(findings(change)).toContain(sentence);
  });

  it('accept words that only look British', () => {
    const text = `${weakness.text} Otherwise the analysis is optimistic, and analyses are supervised.`;
    expect(findings({ weaknesses: [{ ...weakness, text }] })).toEqual([]);
  });
});
