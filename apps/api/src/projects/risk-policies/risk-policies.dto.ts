import { PRIORITY, TAG_MAXIMUM_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import {
  RANKED_VERIFICATION_STATUSES,
  RISK_POLICY_NAME_MAXIMUM_LENGTH,
  type StatusCondition,
} from '#domain/projects/risk-policy/risk-policy.rules.js';
import {
  BooleanField,
  Changes,
  ChoiceField,
  IntegerListField,
  StringField,
  StringListField,
  Nested,
  ObjectListField,
  References,
  Text,
} from '../../http/body/fields.js';

export class RiskPolicyFiltersBody {
  @References('phase', { optional: true, description: 'Phases; empty: all.', example: ['X3'] })
  phases?: string[];

  @IntegerListField({ ...PRIORITY, optional: true, description: 'Priorities; empty: all.', example: [8, 9, 10] })
  priority?: number[];

  @StringListField({
    maximum: TAG_MAXIMUM_LENGTH,
    optional: true,
    description: 'Any of these tags; empty: all.',
    example: [],
  })
  tags?: string[];
}

export class StatusConditionBody {
  @StringField({ maximum: 100, description: 'Id of a status.', example: 'TS1' })
  task_status!: string;

  @ChoiceField({
    choices: RANKED_VERIFICATION_STATUSES,
    optional: true,
    default: 'none',
    description: 'How far it must be verified, from the least to the most.',
    example: 'pass',
  })
  minimum_verification_status?: StatusCondition['minimum_verification_status'];
}

export class RiskPolicyConditionsBody {
  @ObjectListField(() => StatusConditionBody, {
    optional: true,
    description: 'Each countermeasure that it looks at must be in one of these. Empty: it asks for nothing.',
  })
  statuses?: StatusConditionBody[];
}

export class CreateRiskPolicy {
  @StringField({
    maximum: RISK_POLICY_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Everything urgent is done',
  })
  name!: string;

  @Text({ blank: true, optional: true, default: '', description: 'What it is for.' })
  description?: string;

  @Nested(() => RiskPolicyFiltersBody, { optional: true, description: 'Which countermeasures it looks at.' })
  filters?: RiskPolicyFiltersBody;

  @Nested(() => RiskPolicyConditionsBody, { optional: true, description: 'What it asks of them.' })
  conditions?: RiskPolicyConditionsBody;

  @BooleanField({
    optional: true,
    default: false,
    description: 'It holds where neither project nor business unit name one. The default before gives way.',
  })
  is_org_default?: boolean;
}

export class ChangeRiskPolicy extends Changes(CreateRiskPolicy) {}
