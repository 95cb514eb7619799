import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, integer, integerList, line, text } from '../../kernel/fields/fields.js';
import { provenanceFields } from '../item-reference/provenance.fields.js';
import { matchConditions } from '../match-condition/match-condition.fields.js';
import { RISK_RATING } from './weakness.rules.js';

export const weaknessFields = {
  ...provenanceFields,
  title: line({
    description: 'Unique among the weaknesses that the organization sees.',
    example: 'Passwords are stored in plain text',
  }),
  text: text({
    alias: 'description',
    description: 'CommonMark.',
    example: 'Whoever reads the database reads every password.',
  }),
  risk_rating: integer({ ...RISK_RATING, description: '10 is the most severe.', example: 8 }),
  cwe: integerList({
    table: 'cwe',
    optional: true,
    description: 'Numbers of all its CWEs. For custom weaknesses only.',
    example: [256, 522],
  }),
  match_conditions: matchConditions('it is added to a project'),
  active: boolean({ optional: true, default: true }),
};

export type WeaknessInput = InputOf<typeof weaknessFields>;

/** The fields in exchange files, which have more. */
export const weaknessFileFields = { ...weaknessFields, category: line({ blank: true, optional: true }) };

export type WeaknessOfFile = InputOf<typeof weaknessFileFields>;
