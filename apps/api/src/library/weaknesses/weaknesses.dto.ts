import { reference } from '#domain/kernel/fields/fields.js';
import { weaknessFields } from '#domain/library/weakness/weakness.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateWeakness extends BodyOf(weaknessFields) {}

export class ChangeWeakness extends Changes(CreateWeakness) {}

export class RemoveWeakness extends BodyOf({
  new_weakness_id: reference('weakness', {
    optional: true,
    description: 'The new weakness of its countermeasures; required if it has any.',
    example: 'P4',
  }),
}) {}
