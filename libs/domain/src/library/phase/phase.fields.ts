import type { BuiltInRules } from '../item-batch/built-in-rules.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, integer, line, text } from '../../kernel/fields/fields.js';
import { slug } from '../../kernel/fields/slug.js';

/** Bounds of ordinals. The built-in phases have 1 to 5, so that 0 comes before them. */
export const PHASE_ORDINAL = { minimum: 0, maximum: 1_000_000 };

/** Error for a change or the deletion of a built-in phase. */
export const FIXED_PHASE = "Built-in phases can't be changed or deleted.";

export const BUILT_IN_PHASE = { error: FIXED_PHASE } satisfies BuiltInRules;

export const phaseFields = {
  name: line({
    description: 'Unique within the organization, ignoring case.',
    example: 'Threat modelling',
  }),
  description: text({
    blank: true,
    optional: true,
    default: '',
    description: 'What is done in this phase.',
  }),
  tip: text({
    blank: true,
    optional: true,
    default: '',
    description: 'Advice for working in this phase.',
  }),
  ordinal: integer({
    ...PHASE_ORDINAL,
    optional: true,
    description: 'Position in the order of phases; last by default. The built-in ones have 1 to 5.',
    example: 6,
  }),
  active: boolean({ optional: true, default: true }),
  retain: boolean({
    optional: true,
    default: false,
    description: 'For compatibility with clients only: has no effect on projects.',
  }),
};

export type PhaseInput = InputOf<typeof phaseFields>;

/** The fields in exchange files, which have more. */
export const phaseFileFields = { ...phaseFields, slug };

export type PhaseOfFile = InputOf<typeof phaseFileFields>;
