import { defineEntity, p } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows, rowsOf } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';
import { MAPPING_STRENGTHS } from '../item-reference/item-reference.rules.js';

/** A regulation or standard. */
export const Regulation = defineEntity({
  name: 'Regulation',
  tableName: 'regulation',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('regulation'),
    name: p.text(),
    slug: p.text(),
    version: p.text().default(''),
    url: p.text().default(''),
    document: searchDocument('regulation'),
  },
  indexes: [itemIndex('regulation')],
});

export const RegulationSection = defineEntity({
  name: 'RegulationSection',
  tableName: 'regulation_section',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('regulation_section'),
    regulationId: references('regulation', { onDelete: 'cascade' }),
    code: p.text(),
    title: p.text(),
    ordinal: p.integer(),
    /** The level of the regulation that first requires it; null if the regulation has no levels. */
    level: p.integer().nullable(),
    /** False once its edition no longer has it: it keeps its mappings, and no coverage counts it. */
    active: p.boolean().default(true),
    /** Whether its partial mappings satisfy it if combined. */
    partialMappingsComplete: p.boolean().default(false),
    document: searchDocument('regulation_section'),
  },
  indexes: [
    itemIndex('regulation_section'),
    searchIndex('regulation_section'),
    { name: 'regulation_section_regulation', properties: ['regulationId'] },
  ],
});

/**
 * A countermeasure that is mapped to a section of a regulation. A mapping without a strength satisfies the section,
 * because the organization decided so.
 */
export const RegulationSectionCountermeasure = defineEntity({
  name: 'RegulationSectionCountermeasure',
  tableName: 'regulation_section_countermeasure',
  ...rowsOf({ section_id: 'regulation_section' }),
  properties: {
    sectionId: references('regulation_section', { onDelete: 'cascade' }).primary(),
    countermeasureId: references('countermeasure', { onDelete: 'cascade' }).primary(),
    strength: p.text().default('full'),
    why: p.text().default(''),
  },
  indexes: [{ name: 'regulation_section_countermeasure_item', properties: ['countermeasureId'] }],
  checks: [
    {
      name: 'regulation_section_countermeasure_strength',
      expression: `strength IN (${MAPPING_STRENGTHS.map((strength) => `'${strength}'`).join(', ')})`,
    },
  ],
});
