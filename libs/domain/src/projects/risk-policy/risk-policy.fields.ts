import type { InputOf } from '../../kernel/fields/field.js';
import {
  boolean,
  choice,
  integerList,
  line,
  object,
  objectList,
  references,
  text,
} from '../../kernel/fields/fields.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { tagList } from '../../library/countermeasure/countermeasure.fields.js';

/** Verification statuses, from lowest to highest. */
export const RANKED_VERIFICATION_STATUSES = ['none', 'fail', 'partial', 'pass'] as const;

const filterFields = {
  phases: references('phase', { optional: true, description: 'Phases; empty: all.', example: ['X3'] }),
  priority: integerList({ ...PRIORITY, optional: true, description: 'Priorities; empty: all.', example: [8, 9, 10] }),
  tags: tagList([], 'Any of these tags; empty: all.'),
};

const statusConditionFields = {
  task_status: line({ maximum: 100, description: 'Id of a status.', example: 'TS1' }),
  minimum_verification_status: choice(RANKED_VERIFICATION_STATUSES, {
    optional: true,
    default: 'none',
    description: 'The minimum verification status, from lowest to highest.',
    example: 'pass',
  }),
};

const conditionFields = {
  statuses: objectList('StatusConditionBody', statusConditionFields, {
    optional: true,
    description: 'The allowed statuses of the countermeasures that it selects. Empty: any.',
  }),
};

export const riskPolicyFields = {
  name: line({
    maximum: 255,
    description: 'Unique within the organization, ignoring case.',
    example: 'Everything urgent is done',
  }),
  description: text({ blank: true, optional: true, default: '', description: 'What it is for.' }),
  filters: object('RiskPolicyFiltersBody', filterFields, {
    optional: true,
    description: 'The countermeasures that it selects.',
  }),
  conditions: object('RiskPolicyConditionsBody', conditionFields, {
    optional: true,
    description: 'What it requires of them.',
  }),
  is_org_default: boolean({
    optional: true,
    default: false,
    description:
      'Whether it applies to projects without a policy of their own or of their business unit. Replaces the ' +
      'previous default.',
  }),
};

export type RiskPolicyInput = InputOf<typeof riskPolicyFields>;

/** The countermeasures that a policy applies to; an empty list does not restrict them. */
export type RiskPolicyFilters = Required<InputOf<typeof filterFields>>;

/** The allowed statuses of these countermeasures, each with a minimum verification status. */
export interface RiskPolicyConditions {
  readonly statuses: readonly Required<InputOf<typeof statusConditionFields>>[];
}
