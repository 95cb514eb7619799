import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, text } from '../../kernel/fields/fields.js';
import { slug } from '../../kernel/fields/slug.js';
import { partFields, type PartInput } from '../countermeasure/part.fields.js';
import { provenanceFields } from '../item-reference/provenance.fields.js';
import { matchConditions } from '../match-condition/match-condition.fields.js';

export const howToFields = {
  ...provenanceFields,
  title: line({ example: 'Spring Security' }),
  text: text({ description: 'CommonMark.', example: 'Use `Argon2PasswordEncoder` with its defaults for new hashes.' }),
  match_conditions: matchConditions('it applies'),
  active: boolean({ optional: true, default: true }),
  versions: line({
    optional: true,
    blank: true,
    description: 'The product versions that it applies to.',
    example: 'Spring Security 7',
  }),
};

export type HowToInput = InputOf<typeof howToFields> & PartInput;

/** The fields in exchange files, which have more. */
export const howToFileFields = { ...partFields, ...howToFields, slug };

export type HowToOfFile = InputOf<typeof howToFileFields>;
