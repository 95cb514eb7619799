import { ruleMappingFields } from '#domain/library/rule-mapping/rule-mapping.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateRuleMapping extends BodyOf(ruleMappingFields) {}

export class ChangeRuleMapping extends Changes(CreateRuleMapping) {}
