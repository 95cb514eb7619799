import type { InputOf } from '../../kernel/fields/field.js';
import { line, objectList, references } from '../../kernel/fields/fields.js';
import { ATTRIBUTE_MODE } from './match-condition.projection.js';
import { MAX_CONDITIONS_OF_ITEM, MAX_IDS_OF_CONDITION } from './match-condition.rules.js';

const LIST = { optional: true, longest: MAX_IDS_OF_CONDITION } as const;
const ABOUT_ANSWERS = { ...LIST, where: { flag: ATTRIBUTE_MODE, on: false } } as const;
const ABOUT_ATTRIBUTES = { ...LIST, where: { flag: ATTRIBUTE_MODE, on: true } } as const;

/**
 * A match condition in a body: public ids of answers, or of attributes, depending on the mode. At least one list of the
 * mode is required; those of the other mode are ignored. If `id` is known, the condition keeps its id and its lists of
 * the other mode.
 */
export const matchConditionFields = {
  id: line({
    optional: true,
    description: 'Id of an existing condition of this item, which then keeps its id.',
    example: 'CMC3',
  }),
  required: references('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `All of these answers are required. If the flag \`${ATTRIBUTE_MODE}\` is on, this is ignored, and a condition ` +
      'needs attributes.',
    example: ['A4'],
  }),
  excluded: references('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `None of these answers may be selected. If the flag \`${ATTRIBUTE_MODE}\` is on, this is ignored, and a ` +
      'condition needs attributes.',
    example: ['A9'],
  }),
  required_attributes: references('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `All of these attributes are required. If the flag \`${ATTRIBUTE_MODE}\` is off, this is ignored, and a ` +
      'condition needs answers.',
    example: ['AT12'],
  }),
  excluded_attributes: references('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `The project may have none of these attributes. If the flag \`${ATTRIBUTE_MODE}\` is off, this is ignored, and ` +
      'a condition needs answers.',
    example: ['AT30'],
  }),
};

/** The conditions of an item; `effect` documents what happens if one is met. */
export const matchConditions = (effect: string) =>
  objectList('MatchConditionBody', matchConditionFields, {
    optional: true,
    longest: MAX_CONDITIONS_OF_ITEM,
    description: `All its conditions; ${effect} if one of them is met.`,
  });

export type MatchConditionInput = InputOf<typeof matchConditionFields>;
