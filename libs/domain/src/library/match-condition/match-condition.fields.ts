import type { InputOf } from '../../kernel/fields/field.js';
import { line, objectList, references } from '../../kernel/fields/fields.js';
import { ATTRIBUTE_MODE } from './match-condition.projection.js';

const ABOUT_ANSWERS = { optional: true, where: { flag: ATTRIBUTE_MODE, on: false } } as const;
const ABOUT_ATTRIBUTES = { optional: true, where: { flag: ATTRIBUTE_MODE, on: true } } as const;

/**
 * A match condition as a client gives it: public ids of answers, or of attributes in their mode. One list of that pair
 * is required; the other pair is ignored. A known `id` keeps that condition's ids, and its lists of the other mode.
 */
export const matchConditionFields = {
  id: line({
    optional: true,
    description: 'Id of a condition of this item that is to stay itself.',
    example: 'CMC3',
  }),
  required: references('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `Answers that must all be there. With the flag \`${ATTRIBUTE_MODE}\` on it is ignored, and a condition needs ` +
      'attributes.',
    example: ['A4'],
  }),
  excluded: references('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `Answers of which none may be there. With the flag \`${ATTRIBUTE_MODE}\` on it is ignored, and a condition ` +
      'needs attributes.',
    example: ['A9'],
  }),
  required_attributes: references('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `Attributes that must all be there. With the flag \`${ATTRIBUTE_MODE}\` off it is ignored, and a condition ` +
      'needs answers.',
    example: ['AT12'],
  }),
  excluded_attributes: references('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `Attributes of which none may be there. With the flag \`${ATTRIBUTE_MODE}\` off it is ignored, and a condition ` +
      'needs answers.',
    example: ['AT30'],
  }),
};

/** The conditions of an item; `effect` says what follows when one holds. */
export const matchConditions = (effect: string) =>
  objectList('MatchConditionBody', matchConditionFields, {
    optional: true,
    description: `The whole list; ${effect} one of them holds.`,
  });

export type MatchConditionInput = InputOf<typeof matchConditionFields>;
