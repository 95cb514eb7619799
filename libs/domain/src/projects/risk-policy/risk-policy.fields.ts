import type { InputOf } from '../../kernel/fields/field.js';
import {
  boolean,
  choice,
  integerList,
  line,
  object,
  objectList,
  references,
  stringList,
  text,
} from '../../kernel/fields/fields.js';
import { PRIORITY, TAG_MAXIMUM_LENGTH } from '../../library/countermeasure/countermeasure.rules.js';
import { RANKED_VERIFICATION_STATUSES, RISK_POLICY_NAME_MAXIMUM_LENGTH } from './risk-policy.rules.js';

export const riskPolicyFiltersFields = {
  phases: references('phase', { optional: true, description: 'Phases; empty: all.', example: ['X3'] }),
  priority: integerList({ ...PRIORITY, optional: true, description: 'Priorities; empty: all.', example: [8, 9, 10] }),
  tags: stringList({
    maximum: TAG_MAXIMUM_LENGTH,
    optional: true,
    description: 'Any of these tags; empty: all.',
    example: [],
  }),
};

export const statusConditionFields = {
  task_status: line({ maximum: 100, description: 'Id of a status.', example: 'TS1' }),
  minimum_verification_status: choice(RANKED_VERIFICATION_STATUSES, {
    optional: true,
    default: 'none',
    description: 'How far it must be verified, from the least to the most.',
    example: 'pass',
  }),
};

export const riskPolicyConditionsFields = {
  statuses: objectList('StatusConditionBody', statusConditionFields, {
    optional: true,
    description: 'Each countermeasure that it looks at must be in one of these. Empty: it asks for nothing.',
  }),
};

export const riskPolicyFields = {
  name: line({
    maximum: RISK_POLICY_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Everything urgent is done',
  }),
  description: text({ blank: true, optional: true, default: '', description: 'What it is for.' }),
  filters: object('RiskPolicyFiltersBody', riskPolicyFiltersFields, {
    optional: true,
    description: 'Which countermeasures it looks at.',
  }),
  conditions: object('RiskPolicyConditionsBody', riskPolicyConditionsFields, {
    optional: true,
    description: 'What it asks of them.',
  }),
  is_org_default: boolean({
    optional: true,
    default: false,
    description: 'It holds where neither project nor business unit name one. The default before gives way.',
  }),
};

export type RiskPolicyInput = InputOf<typeof riskPolicyFields>;
