/**
 * Letters of the public ids of each kind; custom items have `C` in front, where no letters of their own are named
 * below. Ids without letters are plain numbers.
 */
export const LETTERS = {
  countermeasure: 'T',
  weakness: 'P',
  match_condition: 'MC',
  additional_requirement: 'TA',
  how_to: 'I',
  phase: 'X',
  survey_section: 'S',
  survey_subsection: 'SS',
  survey_question: 'Q',
  survey_subquestion: 'SQ',
  survey_answer: 'A',
  regulation: 'REG',
  regulation_section: 'RS',
  threat: 'TH',
  glossary_term: 'GT',
  profile: 'P',
  workflow_prompt: '',
  workflow_prompt_context: '',
  global_role: 'UR',
  user_group: 'G',
  attribute: 'AT',
  component: 'SC',
  component_question: 'AQ',
  component_answer: 'AA',
  training_module: 'TM',
} as const;

export type Kind = keyof typeof LETTERS;

/** Letters of custom items of the kinds that do not put `C` in front. */
const CUSTOM_LETTERS: Readonly<Partial<Record<Kind, string>>> = {
  global_role: 'CU',
  user_group: 'G',
  workflow_prompt: '',
  workflow_prompt_context: '',
};

/** Letters of the public ids of what an organization made itself. */
export const customLetters = (kind: Kind): string => CUSTOM_LETTERS[kind] ?? `C${LETTERS[kind]}`;

/** The greatest number of a built-in item, in kinds whose built-in and custom items have ids of the same shape. */
export const LARGEST_BUILT_IN_NUMBER = 999;

/** The number that an organization's own items of a kind come behind. */
export const numbersBegin = (kind: Kind): number => (LETTERS[kind] === '' ? LARGEST_BUILT_IN_NUMBER : 0);

/** The exact shape of a kind's public ids: no leading zero, no other case, at most nine digits. */
export const idShape = (kind: Kind): RegExp => {
  const builtIn = LETTERS[kind];
  const custom = CUSTOM_LETTERS[kind];
  const letters = custom === undefined ? `C?${builtIn}` : custom === builtIn ? builtIn : `(?:${builtIn}|${custom})`;
  return new RegExp(`^${letters}[1-9]\\d{0,8}$`);
};

/** The shape of ids that are plain numbers, as long as a bigint can hold them. */
export const NUMERIC_ID = /^[1-9]\d{0,17}$/;

/** The number of a public id, such as 12 of `CT12`. The id has passed `idShape`. */
export const numberOf = (id: string): number => Number(id.replace(/^[A-Z]+/, ''));

/** Whether a public id of a kind with letters is that of an organization's own item. The id has passed `idShape`. */
export const isCustomId = (id: string): boolean => id.startsWith('C');

/** The public id of an organization's own item. */
export const customId = (kind: Kind, number: number): string => `${customLetters(kind)}${number}`;

/** The id of a user in the data of activities. */
export const userItemId = (id: number | string): string => `U${id}`;
