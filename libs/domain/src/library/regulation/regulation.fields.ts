import { integer, line, reference, references } from '../../kernel/fields/fields.js';
import { slug } from '../../kernel/fields/slug.js';

export const regulationFields = {
  name: line(),
  slug,
  version: line({ blank: true, optional: true }),
  url: line({ blank: true, optional: true }),
};

export const regulationSectionFields = {
  regulation: reference('regulation', { description: 'The regulation that it belongs to.' }),
  code: line({ blank: true, optional: true }),
  title: line(),
  ordinal: integer({ optional: true }),
  countermeasures: references('countermeasure', { optional: true, unordered: true }),
};
