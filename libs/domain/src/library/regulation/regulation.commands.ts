import type { InputOf } from '../../kernel/fields/field.js';
import { slugOf } from '../../kernel/fields/slug.js';
import { itemCommand } from '../item-batch/write-items.js';
import { Regulation, RegulationSection } from './regulation.entity.js';
import type { regulationFields, regulationSectionFields } from './regulation.fields.js';

export const writeRegulations = itemCommand<InputOf<typeof regulationFields>>({
  table: {
    kind: 'regulation',
    entity: Regulation,
  },
  title: 'name',
  defaults: ({ name }, id) => ({ slug: slugOf(name, id.toLowerCase()) }),
});

export type RegulationSectionInput = InputOf<typeof regulationSectionFields>;

/** Creates and changes sections of custom regulations, with the countermeasures that satisfy them. */
export const writeRegulationSections = itemCommand<RegulationSectionInput>({
  table: {
    kind: 'regulation_section',
    entity: RegulationSection,
  },
  references: {
    regulation: { kind: 'regulation', column: 'regulation_id' },
    countermeasures: { kind: 'countermeasure', table: 'regulation_section_countermeasure', column: 'section_id' },
  },
  places: { within: 'regulation_id' },
  defaults: () => ({ code: '' }),
});
