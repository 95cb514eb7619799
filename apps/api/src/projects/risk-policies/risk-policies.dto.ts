import { riskPolicyFields } from '#domain/projects/risk-policy/risk-policy.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateRiskPolicy extends BodyOf(riskPolicyFields) {}

export class ChangeRiskPolicy extends Changes(CreateRiskPolicy) {}
