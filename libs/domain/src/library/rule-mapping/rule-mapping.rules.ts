import type { FieldErrors } from '../../kernel/domain-errors.js';
import type { BuiltInRules } from '../item-batch/built-in-rules.js';

/** The largest number of a CWE that the column holds. */
export const MAX_CWE_NUMBER = 2 ** 31 - 1;

/** Maximum number of characters of the name of a tool and of a pattern. */
export const MAX_RULE_MAPPING_TEXT = 200;

/** Maximum number of mappings of an organization: each is compared with every rule of a report. */
export const MAX_RULE_MAPPINGS = 1000;

/** Maximum number of CWEs and weaknesses to which one rule of a report is mapped; further ones are ignored. */
export const MAX_TARGETS_OF_RULE = 20;

/** Error for a change or the deletion of a built-in mapping. */
export const FIXED_RULE_MAPPING = "Built-in rule mappings can't be changed or deleted. Add your own, which come first.";

export const BUILT_IN_RULE_MAPPING = { error: FIXED_RULE_MAPPING } satisfies BuiltInRules;

/** Error for more mappings than that. */
export const TOO_MANY_RULE_MAPPINGS = `An organization can have at most ${MAX_RULE_MAPPINGS} rule mappings.`;

/** Error for a mapping to both or neither. */
export const ONE_TARGET = 'Set either `cwe` or `weakness`.';

/** The error of a complete mapping to both or neither. */
export const targetErrors = ({ cwe, weakness }: { readonly cwe?: unknown; readonly weakness?: unknown }): FieldErrors =>
  ((cwe ?? null) === null) === ((weakness ?? null) === null) ? { non_field_errors: [ONE_TARGET] } : {};
