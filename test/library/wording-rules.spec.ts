import { checkLibrary } from './check-library.ts';
import type { Library } from '#content/library/schema/library-schema.js';
import {
  additionalRequirement,
  component,
  howTo,
  validLibrary,
  weakness,
  withCountermeasure,
  withThreat,
} from '#test/support/valid-library.js';

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('Wording rules', () => {
  it.each<[string, Partial<Library>, string]>([
    [
      'a long title of a countermeasure',
      withCountermeasure({ title: 'T'.repeat(91) }),
      'T1 has a title of 91 characters; at most 90 are allowed',
    ],
    [
      'a long title of a weakness',
      { weaknesses: [{ ...weakness, title: `Brute force: ${'p'.repeat(80)}` }] },
      'P1 has a title of 93 characters; at most 90 are allowed',
    ],
    [
      'a long title of a threat',
      withThreat({ title: 'T'.repeat(91) }),
      'TH1 has a title of 91 characters; at most 90 are allowed',
    ],
    [
      'a long title of a component',
      { components: [{ ...component, title: 'T'.repeat(91) }] },
      'SC1 has a title of 91 characters; at most 90 are allowed',
    ],
    [
      'a long title of an additional requirement',
      { additionalRequirements: [{ ...additionalRequirement, title: 'T'.repeat(91) }] },
      'TA1 has a title of 91 characters; at most 90 are allowed',
    ],
    [
      'a long title of a how-to',
      { howTos: [{ ...howTo, title: 'T'.repeat(91) }] },
      'I1 has a title of 91 characters; at most 90 are allowed',
    ],
    [
      'a weakness without a standard name',
      { weaknesses: [{ ...weakness, title: 'Passwords are guessed' }] },
      'P1 has the title "Passwords are guessed", which does not start with a standard name and a colon',
    ],
    [
      'a countermeasure with too short a text',
      withCountermeasure({ text: words(79) }),
      'T1 has a text of 79 words; 80 to 260 are allowed',
    ],
    [
      'a countermeasure with too long a text',
      withCountermeasure({ text: words(261) }),
      'T1 has a text of 261 words; 80 to 260 are allowed',
    ],
    [
      'a how-to without "To check"',
      { howTos: [{ ...howTo, text: howTo.text.replace('**To check:**', 'To check:') }] },
      'I1 has no "**To check:**"',
    ],
    [
      'a how-to without "Not covered"',
      { howTos: [{ ...howTo, text: howTo.text.replace('**Not covered:**', '') }] },
      'I1 has no "**Not covered:**"',
    ],
    [
      'a phrase that has a plainer word',
      withCountermeasure({ text: `${words(80)} which nobody owns` }),
      'T1 uses "nobody"; use plainer words',
    ],
    [
      'a phrase in a component that has a plainer word',
      { components: [{ ...component, description: 'It stands beside the application.' }] },
      'SC1 uses "beside"; use plainer words',
    ],
    [
      'a phrase in a title that has a plainer word',
      withThreat({ title: 'Attacks upon sign-ins' }),
      'TH1 uses "upon"; use plainer words',
    ],
    [
      'a verb and particle that are separated by an object',
      withCountermeasure({ text: `${words(80)} and turn the default round` }),
      'T1 uses "turn the default round"; use plainer words',
    ],
    [
      'a literally translated idiom',
      withThreat({ text: `${words(80)} the account that sessions rest on` }),
      'TH1 uses "rest on"; use plainer words',
    ],
    ['an unknown tag', withCountermeasure({ tags: ['cake'] }), 'T1 refers to tag cake, which does not exist'],
    ['a countermeasure without a tag', withCountermeasure({ tags: [] }), 'T1 has no tag'],
    [
      'a duplicate tag',
      { tags: [...validLibrary.tags, ...validLibrary.tags] },
      'tag throttling is defined more than once',
    ],
    ['an unused tag', { tags: [...validLibrary.tags, 'cake'] }, 'no countermeasure has the tag cake'],
    [
      'too many tags',
      { tags: Array.from({ length: 81 }, (_, index) => `tag-${index}`) },
      'there are 81 tags; at most 80 are allowed',
    ],
  ])('report %s', (_case, change, sentence) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toContain(sentence);
  });

  it('accept the phrase "at rest on the device"', () => {
    const text = `${words(39)}. ${words(39)}. ${words(5)} encrypts data at rest on the device.`;
    expect(checkLibrary({ ...validLibrary, ...withCountermeasure({ text }) })).toEqual([]);
  });
});
