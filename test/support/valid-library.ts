import type { Profile, WorkflowPrompt } from '#content/library/schema/guidance-shapes.js';
import {
  type AdditionalRequirement,
  type Component,
  type Countermeasure,
  type HowTo,
  type Library,
  type Threat,
  type Weakness,
} from '#content/library/schema/library-schema.js';

/** A text that is long enough, and different for each subject. */
const textAbout = (subject: string, sentences = 24): string =>
  Array.from({ length: sentences }, (_, index) => `${subject}${index} is checked.`).join(' ');

export const weakness: Weakness = {
  id: 'P1',
  title: 'Brute force: passwords are guessed',
  risk_rating: 8,
  category: 'Authentication',
  cwe: [307],
  references: ['cwe:307'],
  text: textAbout('weakness'),
  match_conditions: [{ id: 'MC1', required: ['A1'], excluded: [] }],
};

export const countermeasure: Countermeasure = {
  id: 'T1',
  title: 'Throttle failed sign-ins',
  weakness: 'P1',
  phase: 'X1',
  references: ['cwe:307', 'asvs:5.0:6.3.1'],
  priority: 8,
  tags: ['throttling'],
  categories: ['Authentication'],
  verification_coverage: ['unit-test'],
  text: textAbout('countermeasure', 30),
  match_conditions: [{ id: 'MC2', required: ['A1'], excluded: ['A2'] }],
};

export const attribute = (id: string, parent: string | null) => ({
  id,
  parent,
  name: id,
  description: 'What it says.',
});

/** By default, each answer has its own attribute: `A1` has `AT2`, `A2` has `AT3`. */
export const answer = (id: string, attributes: readonly string[] = [`AT${Number(id.slice(1)) + 1}`]) => ({
  id,
  text: `Answer ${id}`,
  description: 'What it means.',
  display_text: id,
  attributes,
});

const threat: Threat = {
  id: 'TH1',
  title: 'Lists of passwords are tried',
  severity: 8,
  weaknesses: ['P1'],
  capecs: [600],
  stride: ['S'],
  mitre_emb3d: [],
  maestro: [],
  mitre_attack: [],
  references: ['cwe:307'],
  text: textAbout('threat'),
  match_conditions: [{ id: 'MC3', required: ['A1'], excluded: [] }],
};

export const additionalRequirement: AdditionalRequirement = {
  id: 'TA1',
  countermeasure: 'T1',
  references: ['cwe:307'],
  title: 'Count attempts per device too',
  text: textAbout('requirement'),
  match_conditions: [{ id: 'MC4', required: ['A1'], excluded: [] }],
};

export const howTo: HowTo = {
  id: 'I1',
  countermeasure: 'T1',
  title: 'Counters in Redis',
  slug: 'counters-in-redis',
  versions: 'Redis 8',
  reviewed_at: '2026-11-23',
  text: `${textAbout('guide')}\n\n**To check:** run it.\n\n**Not covered:** the rest.`,
  match_conditions: [],
};

export const framework = {
  id: 1,
  slug: 'stride',
  name: 'STRIDE',
  version: '',
  url: 'https://example.org/',
  entries: [{ id: 'S', name: 'Spoofing', url: 'https://example.org/s', domain: '' }],
};

export const cwe = { id: 307, title: 'Excessive attempts', abstraction: 'Base', status: 'Draft', parents: [] };

export const capec = {
  id: 600,
  title: 'Credential stuffing',
  abstraction: 'Standard',
  likelihood: 'High',
  severity: null,
  cwes: [307],
};

export const question = {
  id: 'Q1',
  text: 'How do people sign in?',
  description: 'All ways.',
  format: 'MC' as const,
  depends_on: [],
  answers: [answer('A1')],
  subquestions: [{ id: 'SQ1', text: 'With what?', answers: [answer('A2')] }],
};

export const survey = (questions: Library['sections'][0]['subsections'][0]['questions']): Library['sections'] => [
  { id: 'S1', title: 'Users', subsections: [{ id: 'SS1', title: 'Sign-in', questions }] },
];

export const regulation = {
  id: 'REG1',
  name: 'A list',
  slug: 'a-list',
  version: '1',
  url: 'https://example.org/',
  sections: [{ id: 'RS1', code: '1.1', title: 'Sign-in', countermeasures: ['T1'] }],
};

export const componentQuestion = (id: string, answerId: string): Library['componentQuestions'][0] => ({
  id,
  text: 'Who operates it?',
  description: 'Day by day.',
  question_type: 'SC',
  answers: [{ id: answerId, text: 'We do', description: 'On our machines.', attribute: null }],
});

export const component: Component = {
  id: 'SC1',
  title: 'Sign-in service',
  category: 'Authentication',
  icon: 'mui-hub',
  answer_mapping: 'A1',
  tasks_implemented: ['T1'],
  tasks_introduced: [],
  implied_attributes: [],
  questions: [
    { question: 'AQ1', parent_answer: null },
    { question: 'AQ2', parent_answer: 'AA1' },
  ],
  description:
    'Lets people in.\n\n**To check:** the application has it if it depends on `sign-in`. ' +
    'See [the documentation](https://example.com/sign-in).',
};

export const phase = {
  id: 'X1',
  name: 'Design',
  slug: 'design',
  description: 'Draw.',
  tip: 'Think.',
  ordinal: 1,
  retain: false,
};

export const profile: Profile = {
  id: 'P1',
  name: 'Web application',
  description: 'Used in a browser.',
  default: true,
  icon: 'mui-hub',
  answers: ['A1'],
};

export const prompt: WorkflowPrompt = {
  id: 1,
  title: 'Explain',
  type: 'countermeasure',
  variables: ['countermeasure'],
  prompt: 'Explain {{ countermeasure }}.',
  contexts: [{ id: 1, name: 'Rules', content_type: 'text', text: 'Be brief.' }],
};

export const validLibrary: Library = {
  phases: [phase],
  categories: [{ id: 1, name: 'Authentication' }],
  tags: ['throttling'],
  attributes: [attribute('AT1', null), attribute('AT2', 'AT1'), attribute('AT3', 'AT1')],
  sections: survey([question]),
  weaknesses: [weakness],
  countermeasures: [countermeasure],
  additionalRequirements: [additionalRequirement],
  howTos: [howTo],
  threats: [threat],
  regulations: [regulation],
  componentQuestions: [componentQuestion('AQ1', 'AA1'), componentQuestion('AQ2', 'AA2')],
  components: [component],
  icons: [{ slug: 'mui-hub', name: 'Hub', keywords: '', svg: '<svg/>' }],
  ruleMappings: [{ id: 'RM1', system: 'scan', rule_pattern: 'no-*', cwe: 307 }],
  glossary: [{ id: 'GT1', term: 'Asset', definition: 'What is worth protecting.' }],
  profiles: [profile],
  workflowPrompts: [prompt],
  cwes: [cwe],
  capecs: [capec],
  frameworks: [framework],
};

export const withCountermeasure = (change: Partial<Countermeasure>): Partial<Library> => ({
  countermeasures: [{ ...countermeasure, ...change }],
});

export const withThreat = (change: Partial<Threat>): Partial<Library> => ({ threats: [{ ...threat, ...change }] });
