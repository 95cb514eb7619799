import {
  APPLICATION_PRIORITIES,
  type ApplicationPriority,
  PLACE_NAME_MAXIMUM_LENGTH,
} from '#domain/projects/project-access/application.rules.js';
import { TAG_MAXIMUM_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import {
  Changes,
  ChoiceField,
  Facts,
  NumericReference,
  StringField,
  StringListField,
  Text,
} from '../../http/body/fields.js';

export class CreateApplication {
  @StringField({
    maximum: PLACE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the business unit, whatever its case.',
    example: 'Web shop',
  })
  name!: string;

  @NumericReference({ description: 'The business unit that it belongs to.', example: 1 })
  business_unit!: number;

  @ChoiceField({ choices: APPLICATION_PRIORITIES, optional: true, default: '0-none', example: '1-high' })
  priority?: ApplicationPriority;

  @Text({ blank: true, optional: true, default: '', description: 'What it is for.' })
  description?: string;

  @StringListField({ maximum: TAG_MAXIMUM_LENGTH, optional: true, description: 'All tags.', example: ['shop'] })
  tags?: string[];

  @Facts({ optional: true, description: 'Facts of your own, by name: all of them.', example: { cost_center: '4711' } })
  custom_attributes?: object;
}

export class ChangeApplication extends Changes(CreateApplication) {}
