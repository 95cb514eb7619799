import { checkLibrary } from './check-library.ts';
import { type Component, type Library } from '#content/library/schema/library-schema.js';
import {
  framework,
  cwe,
  capec,
  componentQuestion,
  component,
  validLibrary,
  withCountermeasure,
  withThreat,
} from '#test/support/valid-library.js';

const withComponent = (change: Partial<Component>): Partial<Library> => ({ components: [{ ...component, ...change }] });

describe('Library rules for threats and components', () => {
  it.each<[string, Partial<Library>, string]>([
    [
      'an unknown weakness of a threat',
      withThreat({ weaknesses: ['P9'] }),
      'TH1 refers to weakness P9, which does not exist',
    ],
    ['an unknown CAPEC', withThreat({ capecs: [600, 601] }), 'TH1 refers to CAPEC 601, which does not exist'],
    [
      'an unknown framework entry',
      withThreat({ stride: ['S', 'X'] }),
      'TH1 refers to entry of stride X, which does not exist',
    ],
    [
      'an entry of a framework that does not exist',
      withThreat({ maestro: ['L1'] }),
      'TH1 refers to entry of maestro L1, which does not exist',
    ],
    [
      'an unknown answer in a match condition of a threat',
      withThreat({ match_conditions: [{ id: 'MC3', required: ['A9'], excluded: [] }] }),
      'MC3 of TH1 refers to answer A9, which does not exist',
    ],
    [
      'a short text of a threat',
      withThreat({ text: 'Bad.' }),
      'TH1 has a text of 4 characters; at least 300 are required',
    ],
    [
      'an unknown CWE of a CAPEC',
      { capecs: [{ ...capec, cwes: [1] }] },
      'CAPEC 600 refers to CWE 1, which does not exist',
    ],
    [
      'an unknown parent of a CWE',
      { cwes: [{ ...cwe, parents: [1] }] },
      'CWE 307 refers to CWE 1, which does not exist',
    ],
    [
      'a duplicate framework entry',
      { frameworks: [{ ...framework, entries: [...framework.entries, ...framework.entries] }] },
      'entry of stride S is defined more than once',
    ],
    [
      'an unknown verification coverage',
      withCountermeasure({ verification_coverage: ['unit-test', 'prayer'] }),
      'T1 refers to verification coverage prayer, which does not exist',
    ],
    [
      'an unknown category of a component',
      withComponent({ category: 'Cooking' }),
      'SC1 refers to category Cooking, which does not exist',
    ],
    ...['Lets people in.', 'How.\n\n**To check:** the application has it if it depends on `sign-in`.'].map(
      (description): [string, Partial<Library>, string] => [
        `a component that ends with "${description.slice(-16)}"`,
        withComponent({ description }),
        'SC1 does not end with how to check that it is present, and a link to its documentation',
      ],
    ),
    ['an unknown icon', withComponent({ icon: 'spoon' }), 'SC1 refers to icon spoon, which does not exist'],
    [
      'an unknown answer of a component',
      withComponent({ answer_mapping: 'A9' }),
      'SC1 refers to answer A9, which does not exist',
    ],
    [
      'an unknown countermeasure of a component',
      withComponent({ tasks_introduced: ['T9'] }),
      'SC1 refers to countermeasure T9, which does not exist',
    ],
    [
      'a countermeasure that a component both implements and introduces',
      withComponent({ tasks_introduced: ['T1'] }),
      'SC1 both implements and introduces T1',
    ],
    [
      'an unknown attribute of a component',
      withComponent({ implied_attributes: ['AT9'] }),
      'SC1 refers to attribute AT9, which does not exist',
    ],
    [
      'an unknown attribute of an answer to a component',
      {
        componentQuestions: [
          componentQuestion('AQ1', 'AA1'),
          {
            ...componentQuestion('AQ2', 'AA2'),
            answers: [{ id: 'AA2', text: 'We do', description: 'Here.', attribute: 'AT9' }],
          },
        ],
      },
      'AA2 refers to attribute AT9, which does not exist',
    ],
    [
      'an unknown question of a component',
      withComponent({ questions: [{ question: 'AQ9', parent_answer: null }] }),
      'SC1 refers to question AQ9, which does not exist',
    ],
    [
      'a component question that depends on an answer outside the questionnaire of the component',
      withComponent({ questions: [{ question: 'AQ2', parent_answer: 'AA1' }] }),
      'SC1: "AA1" does not belong to a question of this questionnaire.',
    ],
    [
      'questions that depend on each other',
      withComponent({
        questions: [
          { question: 'AQ1', parent_answer: 'AA2' },
          { question: 'AQ2', parent_answer: 'AA1' },
        ],
      }),
      'SC1: "AQ2" would only be asked after itself.',
    ],
  ])('report %s', (_case, change, sentence) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toContain(sentence);
  });
});
