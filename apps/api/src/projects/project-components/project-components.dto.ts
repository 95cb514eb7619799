import { references } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class TakeComponentUpdates extends BodyOf({
  component_ids: references('component', {
    optional: true,
    description: 'Components of the project whose changes to apply. By default, all.',
    example: ['SC4'],
  }),
}) {}
