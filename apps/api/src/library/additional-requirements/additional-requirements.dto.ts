import { stringList } from '#domain/kernel/fields/fields.js';
import { additionalRequirementFields } from '#domain/library/additional-requirement/additional-requirement.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateAdditionalRequirement extends BodyOf(additionalRequirementFields) {}

export class ChangeAdditionalRequirement extends Changes(CreateAdditionalRequirement) {}

export class OrderAdditionalRequirements extends BodyOf({
  order: stringList({
    maximum: 100,
    description: 'Each additional requirement of the countermeasure once, and `SP` for the position of its own text.',
    example: ['SP', 'TA12'], // of T7
  }),
}) {}
