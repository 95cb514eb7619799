import { intersectionOf, MAX_ID_LENGTH } from '../../kernel/fields/field-checks.js';

/** The lists of each mode: required ids and excluded ids. */
export const CONDITION_LISTS = {
  answers: ['required', 'excluded'],
  attributes: ['required_attributes', 'excluded_attributes'],
} as const;

export const CONDITION_MODES = ['answers', 'attributes'] as const;
export type ConditionMode = (typeof CONDITION_MODES)[number];

export const LIST_NAMES = CONDITION_MODES.flatMap((mode) => CONDITION_LISTS[mode]);
export type ListName = (typeof LIST_NAMES)[number];

/** Limits of match conditions, which bound the time in which the content of a project is calculated. */
export const MAX_CONDITIONS_OF_ITEM = 200;
export const MAX_CONDITIONS_OF_ORGANIZATION = 50_000;
/** The longest list of answers or attributes of a condition. */
export const MAX_IDS_OF_CONDITION = 100;

/** The ids that a condition both requires and excludes, so that it could never match. */
export const contradictions = (
  condition: Partial<Readonly<Record<ListName, readonly string[]>>>,
  mode: ConditionMode,
): string[] => {
  const [required, excluded] = CONDITION_LISTS[mode];
  return intersectionOf(condition[required] ?? [], condition[excluded] ?? []);
};

/** Error messages for contradictions. */
export const contradictionErrors = (...of: Parameters<typeof contradictions>): string[] =>
  contradictions(...of).map((id) => `"${id.slice(0, MAX_ID_LENGTH)}" is both required and excluded.`);
