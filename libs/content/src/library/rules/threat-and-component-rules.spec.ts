import { checkLibrary } from './library-rules.js';
import { type Component, type Library } from '../schema/library-schema.js';
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
      'TH1 names weakness P9, which is not there',
    ],
    ['an unknown CAPEC', withThreat({ capecs: [600, 601] }), 'TH1 names CAPEC 601, which is not there'],
    [
      'an unknown framework entry',
      withThreat({ stride: ['S', 'X'] }),
      'TH1 names entry of stride X, which is not there',
    ],
    [
      'an entry of a framework that does not exist',
      withThreat({ maestro: ['L1'] }),
      'TH1 names entry of maestro L1, which is not there',
    ],
    [
      'an unknown answer in a match condition of a threat',
      withThreat({ match_conditions: [{ id: 'MC3', required: ['A9'], excluded: [] }] }),
      'MC3 of TH1 names answer A9, which is not there',
    ],
    [
      'a short text of a threat',
      withThreat({ text: 'Bad.' }),
      'TH1 has a text of 4 characters; it takes 300 to be useful',
    ],
    ['an unknown CWE of a CAPEC', { capecs: [{ ...capec, cwes: [1] }] }, 'CAPEC 600 names CWE 1, which is not there'],
    ['an unknown parent of a CWE', { cwes: [{ ...cwe, parents: [1] }] }, 'CWE 307 names CWE 1, which is not there'],
    [
      'a duplicate framework entry',
      { frameworks: [{ ...framework, entries: [...framework.entries, ...framework.entries] }] },
      'entry of stride S stands more than once',
    ],
    [
      'an unknown verification coverage',
      withCountermeasure({ verification_coverage: ['unit-test', 'prayer'] }),
      'T1 names verification coverage prayer, which is not there',
    ],
    [
      'an unknown category of a component',
      withComponent({ category: 'Cooking' }),
      'SC1 names category Cooking, which is not there',
    ],
    ['an unknown icon', withComponent({ icon: 'spoon' }), 'SC1 names icon spoon, which is not there'],
    [
      'an unknown answer of a component',
      withComponent({ answer_mapping: 'A9' }),
      'SC1 names answer A9, which is not there',
    ],
    [
      'an unknown countermeasure of a component',
      withComponent({ tasks_introduced: ['T9'] }),
      'SC1 names countermeasure T9, which is not there',
    ],
    [
      'a countermeasure that a component both implements and introduces',
      withComponent({ tasks_introduced: ['T1'] }),
      'SC1 both implements and introduces T1',
    ],
    [
      'an unknown attribute of a component',
      withComponent({ implied_attributes: ['AT9'] }),
      'SC1 names attribute AT9, which is not there',
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
      'AA2 names attribute AT9, which is not there',
    ],
    [
      'an unknown question of a component',
      withComponent({ questions: [{ question: 'AQ9', parent_answer: null }] }),
      'SC1 names question AQ9, which is not there',
    ],
    [
      'a component question that depends on an answer outside the questionnaire of the component',
      withComponent({ questions: [{ question: 'AQ2', parent_answer: 'AA1' }] }),
      'SC1: "AA1" belongs to no question of this questionnaire.',
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
