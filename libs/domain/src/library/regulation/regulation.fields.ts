import { STORABLE_NUMBERS } from '../../kernel/fields/field-checks.js';
import { boolean, integer, line, reference, references } from '../../kernel/fields/fields.js';
import { slug } from '../../kernel/fields/slug.js';

/** Bounds of the level of a section, such as 1 to 3 in OWASP ASVS. */
const SECTION_LEVEL = { minimum: 1, maximum: 9 };

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
  ordinal: integer({ ...STORABLE_NUMBERS, optional: true }),
  level: integer({ optional: true, nullable: true, ...SECTION_LEVEL }),
  active: boolean({ optional: true }),
  countermeasures: references('countermeasure', { optional: true, unordered: true }),
};

/** The name of a regulation with its version, which many names contain: "OWASP Top 10 2025". */
export const editionOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  name.endsWith(version) ? name : `${name} ${version}`;
