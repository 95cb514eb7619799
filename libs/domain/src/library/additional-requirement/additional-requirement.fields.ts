import type { InputOf } from '../../kernel/fields/field.js';
import { STORABLE_NUMBERS } from '../../kernel/fields/field-checks.js';
import { boolean, integer, line, text } from '../../kernel/fields/fields.js';
import { partFields, type PartInput } from '../countermeasure/part.fields.js';
import { provenanceFields } from '../item-reference/provenance.fields.js';
import { matchConditions } from '../match-condition/match-condition.fields.js';

export const additionalRequirementFields = {
  ...provenanceFields,
  title: line({ example: 'Keep a pepper outside of the database' }),
  text: text({
    description: 'CommonMark.',
    example: 'Mix a secret that is **not** stored with the hashes into every password.',
  }),
  match_conditions: matchConditions('it applies'),
  active: boolean({ optional: true, default: true }),
};

export type AdditionalRequirementInput = InputOf<typeof additionalRequirementFields> & PartInput;

/** The fields in exchange files, which have more. */
export const requirementFileFields = {
  ...partFields,
  ...additionalRequirementFields,
  ordinal: integer({ ...STORABLE_NUMBERS, optional: true }),
};

export type AdditionalRequirementOfFile = InputOf<typeof requirementFileFields>;
