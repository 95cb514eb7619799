/**
 * Prefixes of the public ids of each kind. Custom items have an additional leading `C`, unless `CUSTOM_LETTERS` has
 * another prefix. Ids without a prefix are plain numbers.
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
  rule_mapping: 'RM',
} as const;

export type Kind = keyof typeof LETTERS;

/** Prefixes of custom items of the kinds that do not use a leading `C`. */
const CUSTOM_LETTERS: Readonly<Partial<Record<Kind, string>>> = {
  global_role: 'CU',
  user_group: 'G',
  workflow_prompt: '',
  workflow_prompt_context: '',
};

/** The prefix of the public ids of custom items. */
export const customLetters = (kind: Kind): string => CUSTOM_LETTERS[kind] ?? `C${LETTERS[kind]}`;

/** The largest number of built-in items, for kinds whose built-in and custom ids have the same shape. */
export const MAX_BUILT_IN_NUMBER = 999;

/** The number before the first one of an organization's custom items. */
export const firstNumberOffset = (kind: Kind): number => (LETTERS[kind] === '' ? MAX_BUILT_IN_NUMBER : 0);

/** The exact shape of a kind's public ids: case-sensitive, no leading zero, at most nine digits. */
export const idShape = (kind: Kind): RegExp => {
  const builtIn = LETTERS[kind];
  const custom = CUSTOM_LETTERS[kind];
  const letters = custom === undefined ? `C?${builtIn}` : custom === builtIn ? builtIn : `(?:${builtIn}|${custom})`;
  return new RegExp(`^${letters}[1-9]\\d{0,8}$`);
};

/** The shape of ids that are plain numbers within the range of a bigint. */
export const NUMERIC_ID = /^[1-9]\d{0,17}$/;

/**
 * The primary key that a public id is; undefined for anything else, also for a key of more than 53 bits: it would be
 * rounded to another one, and no row has such a key.
 */
export const primaryKeyOf = (id: string): number | undefined =>
  NUMERIC_ID.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : undefined;

/** A part of a path as a bigint for SQL; null, which no row has, if it is something other than a number. */
export const numericIdOrNull = (id: string): string | null => (NUMERIC_ID.test(id) ? id : null);

/** The number of a public id, such as 12 of `CT12`. The id must match `idShape`. */
export const numberOf = (id: string): number => Number(id.replace(/^[A-Z]+/, ''));

/** Whether a public id with a prefix is that of a custom item. The id must match `idShape`. */
export const isCustomId = (id: string): boolean => id.startsWith('C');

/** Whether a public id of a kind of library content is that of a built-in item. */
export const isBuiltInId = (kind: Kind, id: string): boolean =>
  LETTERS[kind] === '' ? Number(id) <= MAX_BUILT_IN_NUMBER : !isCustomId(id);

export const customId = (kind: Kind, number: number): string => `${customLetters(kind)}${number}`;

export const userItemId = (id: number | string): string => `U${id}`;
