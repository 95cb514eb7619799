import { ATTRIBUTE_MODE } from '#domain/library/match-condition/match-condition.projection.js';
import { StringField, References } from '../../http/body/fields.js';

const ABOUT_ANSWERS = { optional: true, where: { flag: ATTRIBUTE_MODE, on: false } } as const;
const ABOUT_ATTRIBUTES = { optional: true, where: { flag: ATTRIBUTE_MODE, on: true } } as const;

export class MatchConditionBody {
  @StringField({
    optional: true,
    description: 'Id of a condition of this item that is to stay itself.',
    example: 'CMC3',
  })
  id?: string;

  @References('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `Answers that must all be there. With the flag \`${ATTRIBUTE_MODE}\` on it is ignored, and a condition needs ` +
      'attributes.',
    example: ['A4'],
  })
  required?: string[];

  @References('survey_answer', {
    ...ABOUT_ANSWERS,
    description:
      `Answers of which none may be there. With the flag \`${ATTRIBUTE_MODE}\` on it is ignored, and a condition ` +
      'needs attributes.',
    example: ['A9'],
  })
  excluded?: string[];

  @References('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `Attributes that must all be there. With the flag \`${ATTRIBUTE_MODE}\` off it is ignored, and a condition ` +
      'needs answers.',
    example: ['AT12'],
  })
  required_attributes?: string[];

  @References('attribute', {
    ...ABOUT_ATTRIBUTES,
    description:
      `Attributes of which none may be there. With the flag \`${ATTRIBUTE_MODE}\` off it is ignored, and a condition ` +
      'needs answers.',
    example: ['AT30'],
  })
  excluded_attributes?: string[];
}
