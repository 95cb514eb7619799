import { checkLibrary } from './check-library.ts';
import {
  type AdditionalRequirement,
  type HowTo,
  type Library,
  type Weakness,
} from '#content/library/schema/library-schema.js';
import {
  weakness,
  countermeasure,
  attribute,
  answer,
  additionalRequirement,
  howTo,
  question,
  survey,
  regulation,
  phase,
  profile,
  prompt,
  validLibrary,
  withCountermeasure,
  withThreat,
} from '#test/support/valid-library.js';

const withWeakness = (change: Partial<Weakness>): Partial<Library> => ({ weaknesses: [{ ...weakness, ...change }] });

const withRequirement = (change: Partial<AdditionalRequirement>): Partial<Library> => ({
  additionalRequirements: [{ ...additionalRequirement, ...change }],
});

const withHowTo = (change: Partial<HowTo>): Partial<Library> => ({ howTos: [{ ...howTo, ...change }] });

describe('Library rules', () => {
  it('accept a valid library', () => {
    expect(checkLibrary(validLibrary)).toEqual([]);
  });

  it.each<[string, Partial<Library>, string]>([
    ['a duplicate phase', { phases: [phase, { ...phase, slug: 'other' }] }, 'phase X1 is defined more than once'],
    [
      'two phases with the same slug',
      { phases: [phase, { ...phase, id: 'X2' }] },
      'phase slug design is defined more than once',
    ],
    [
      'a duplicate category',
      { categories: [...validLibrary.categories, { id: 2, name: 'Authentication' }] },
      'category Authentication is defined more than once',
    ],
    [
      'a duplicate attribute',
      { attributes: [...validLibrary.attributes, attribute('AT2', null)] },
      'attribute AT2 is defined more than once',
    ],
    [
      'an attribute that precedes its parent',
      { attributes: [attribute('AT2', 'AT1'), attribute('AT1', null)] },
      'AT2 has parent AT1, which does not come before it',
    ],
    [
      'an attribute whose parent does not exist',
      { attributes: [...validLibrary.attributes, attribute('AT3', 'AT9')] },
      'AT3 has parent AT9, which does not come before it',
    ],
    [
      'an attribute below the tenth level',
      {
        attributes: Array.from({ length: 11 }, (_, index) => attribute(`AT${index + 1}`, index ? `AT${index}` : null)),
      },
      'AT11 is below level 10',
    ],
    [
      'an answer that adds an unknown attribute',
      { sections: survey([{ ...question, answers: [answer('A1', ['AT2', 'AT9'])] }]) },
      'A1 refers to attribute AT9, which does not exist',
    ],
    [
      'a match condition with an answer without attributes',
      { sections: survey([{ ...question, answers: [answer('A1', [])] }]) },
      'MC1 of P1 refers to answer A1, which adds no attribute',
    ],
    [
      'a duplicate answer, in a question and a subquestion',
      { sections: survey([{ ...question, answers: [answer('A1'), answer('A2')] }]) },
      'answer A2 is defined more than once',
    ],
    [
      'a duplicate match condition, in items of two kinds',
      withWeakness({ match_conditions: countermeasure.match_conditions }),
      'match condition MC2 is defined more than once',
    ],
    [
      'a question that depends on an unknown answer',
      { sections: survey([{ ...question, depends_on: ['A9'] }]) },
      'Q1 refers to answer A9, which does not exist',
    ],
    [
      'an unknown category of a weakness',
      withWeakness({ category: 'Cooking' }),
      'P1 refers to category Cooking, which does not exist',
    ],
    ['an unknown CWE', withWeakness({ cwe: [307, 999_999] }), 'P1 refers to CWE 999999, which does not exist'],
    ['an unknown weakness', withCountermeasure({ weakness: 'P9' }), 'T1 refers to weakness P9, which does not exist'],
    ['an unknown phase', withCountermeasure({ phase: 'X9' }), 'T1 refers to phase X9, which does not exist'],
    [
      'an unknown category of a countermeasure',
      withCountermeasure({ categories: ['Authentication', 'Cooking'] }),
      'T1 refers to category Cooking, which does not exist',
    ],
    [
      'an unknown answer in a match condition',
      withCountermeasure({ match_conditions: [{ id: 'MC2', required: [], excluded: ['A9'] }] }),
      'MC2 of T1 refers to answer A9, which does not exist',
    ],
    [
      'an unknown countermeasure in a regulation',
      {
        regulations: [
          { ...regulation, sections: [{ id: 'RS1', code: '1.1', title: 'Sign-in', countermeasures: ['T9'] }] },
        ],
      },
      'RS1 refers to countermeasure T9, which does not exist',
    ],
    [
      'a duplicate glossary entry, in different case',
      {
        glossary: [
          { id: 'GT1', term: 'Asset', definition: 'What is worth protecting.' },
          { id: 'GT2', term: 'asset', definition: 'The same.' },
        ],
      },
      'glossary entry asset is defined more than once',
    ],
    [
      'an unknown answer in a profile',
      { profiles: [{ ...profile, answers: ['A1', 'A9'] }] },
      'P1 refers to answer A9, which does not exist',
    ],
    [
      'an unknown icon of a profile',
      { profiles: [{ ...profile, icon: 'no-such-icon' }] },
      'P1 refers to icon no-such-icon, which does not exist',
    ],
    [
      'a library without a default profile',
      { profiles: [{ ...profile, default: false }] },
      '0 profiles are the default; exactly one is required',
    ],
    [
      'two default profiles',
      { profiles: [profile, { ...profile, id: 'P2', name: 'Other' }] },
      '2 profiles are the default; exactly one is required',
    ],
    [
      'a profile with an answer to a question that is not shown',
      { sections: survey([{ ...question, depends_on: ['A2'] }]) },
      'P1 answers Q1, which its other answers do not open',
    ],
    [
      'a profile with two answers to a single-choice question',
      { sections: survey([{ ...question, format: 'SC' }]), profiles: [{ ...profile, answers: ['A1', 'A2'] }] },
      'P1 gives several answers to Q1',
    ],
    [
      'an undeclared placeholder',
      { workflowPrompts: [{ ...prompt, prompt: 'Explain {{countermeasure}} in {{language}}.' }] },
      'workflow prompt 1 has the placeholder {{language}}, which it does not declare',
    ],
    [
      'an unused variable',
      { workflowPrompts: [{ ...prompt, variables: ['countermeasure', 'language'] }] },
      'workflow prompt 1 declares language, which it does not use',
    ],
    [
      'a duplicate context, in two prompts',
      { workflowPrompts: [prompt, { ...prompt, id: 2 }] },
      'workflow prompt context 1 is defined more than once',
    ],
    [
      'a match condition that can never be met',
      withCountermeasure({ match_conditions: [{ id: 'MC2', required: ['A1', 'A2'], excluded: ['A2'] }] }),
      'MC2 of T1 both requires and excludes A2',
    ],
    [
      'a weakness without a countermeasure',
      { weaknesses: [weakness, { ...weakness, id: 'P2', title: 'Sessions never end', match_conditions: [] }] },
      'P2 has no countermeasure',
    ],
    [
      'a short text of a weakness',
      withWeakness({ text: 'Bad.' }),
      'P1 has a text of 4 characters; at least 300 are required',
    ],
    [
      'a short text of a countermeasure',
      withCountermeasure({ text: 'Do.' }),
      'T1 has a text of 3 characters; at least 300 are required',
    ],
    [
      'two nearly identical titles',
      {
        countermeasures: [
          countermeasure,
          { ...countermeasure, id: 'T2', title: 'Throttle all failed sign-ins', match_conditions: [] },
        ],
      },
      'T1 "Throttle failed sign-ins" and T2 "Throttle all failed sign-ins" have nearly the same title (similarity 0.86)',
    ],
    [
      'two nearly identical texts of different kinds',
      withRequirement({ text: `${howTo.text} And no more.` }),
      'TA1 and I1 have nearly the same text (similarity 0.96)',
    ],
    [
      'a short text of an additional requirement',
      withRequirement({ text: 'Do.' }),
      'TA1 has a text of 3 characters; at least 200 are required',
    ],
    [
      'a short text of a how-to',
      withHowTo({ text: 'Do.' }),
      'I1 has a text of 3 characters; at least 200 are required',
    ],
    [
      'an unknown countermeasure of an additional requirement',
      withRequirement({ countermeasure: 'T9' }),
      'TA1 refers to countermeasure T9, which does not exist',
    ],
    [
      'an unknown countermeasure of a how-to',
      withHowTo({ countermeasure: 'T9' }),
      'I1 refers to countermeasure T9, which does not exist',
    ],
    ['a duplicate how-to', { howTos: [howTo, howTo] }, 'how-to I1 is defined more than once'],
    [
      'an unknown answer in a match condition of a how-to',
      withHowTo({ match_conditions: [{ id: 'MC5', required: ['A9'], excluded: [] }] }),
      'MC5 of I1 refers to answer A9, which does not exist',
    ],
    [
      'a countermeasure whose weakness needs another answer to the same single-choice question',
      {
        sections: survey([
          { ...question, format: 'SC', answers: [answer('A1'), answer('A3')], subquestions: [] },
          { ...question, id: 'Q2', answers: [answer('A2')], subquestions: [] },
        ]),
        ...withCountermeasure({ match_conditions: [{ id: 'MC2', required: ['A3'], excluded: [] }] }),
      },
      'T1 is not reached by any answers to the survey',
    ],
    [
      'a how-to that excludes what its countermeasure requires',
      withHowTo({ match_conditions: [{ id: 'MC5', required: ['A2'], excluded: ['A1'] }] }),
      'I1 is not reached by any answers to the survey',
    ],
    [
      'a threat that excludes the only answer that leads to a question',
      {
        sections: survey([
          question,
          { ...question, id: 'Q2', depends_on: ['A2'], answers: [answer('A3')], subquestions: [] },
        ]),
        ...withThreat({ match_conditions: [{ id: 'MC3', required: ['A3'], excluded: ['A2'] }] }),
      },
      'TH1 is not reached by any answers to the survey',
    ],
    [
      'an answer without effect',
      { sections: survey([{ ...question, answers: [answer('A1'), answer('A3')] }]) },
      'A3 changes nothing',
    ],
    [
      'a question that precedes the answer that it depends on',
      { sections: survey([{ ...question, depends_on: ['A2'] }]) },
      'Q1 depends on A2, which does not come before it',
    ],
  ])('report %s', (_case, change, sentence) => {
    expect(checkLibrary({ ...validLibrary, ...change })).toContain(sentence);
  });
});
