import type { InputOf } from '../../kernel/fields/field.js';
import { integer, line, reference } from '../../kernel/fields/fields.js';
import { MAX_CWE_NUMBER, MAX_RULE_MAPPING_TEXT } from './rule-mapping.rules.js';

export const ruleMappingFields = {
  system: line({
    maximum: MAX_RULE_MAPPING_TEXT,
    description: 'The tool: the `system` of an upload, or the name of the tool in the report. Case is ignored.',
    example: 'eslint',
  }),
  rule_pattern: line({
    maximum: MAX_RULE_MAPPING_TEXT,
    description: 'The id of a rule; `*` stands for any text. Case is ignored.',
    example: 'security/detect-eval-*',
  }),
  cwe: integer({
    minimum: 1,
    maximum: MAX_CWE_NUMBER,
    optional: true,
    nullable: true,
    description: 'The CWE that the rules find; null if `weakness` is set.',
    example: 95,
  }),
  weakness: reference('weakness', {
    optional: true,
    nullable: true,
    description: 'The weakness that the rules find; null if `cwe` is set.',
  }),
};

export type RuleMappingInput = InputOf<typeof ruleMappingFields>;
