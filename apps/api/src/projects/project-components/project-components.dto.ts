import { References } from '../../http/body/fields.js';

export class TakeComponentUpdates {
  @References('component', {
    optional: true,
    description: 'Components of the project whose changes it takes; all where none are named.',
    example: ['SC4'],
  })
  component_ids?: string[];
}
