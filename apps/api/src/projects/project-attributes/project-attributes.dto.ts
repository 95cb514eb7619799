import { MOST_AT_ONCE, REASON_MAXIMUM_LENGTH } from '#domain/projects/project-attribute/project-attribute.rules.js';
import { BareList, ObjectListField, Reference, Text } from '../../http/body/fields.js';

class AddedAttributeBody {
  @Reference('attribute', { example: 'AT12' })
  id!: string;

  @Text({
    optional: true,
    blank: true,
    maximum: REASON_MAXIMUM_LENGTH,
    description: 'Why the project has it.',
    example: 'Agreed with the auditors.',
  })
  reason?: string;
}

/** An object with this field, or the bare list. */
@BareList('attributes')
export class AddAttributes {
  @ObjectListField(() => AddedAttributeBody, {
    longest: MOST_AT_ONCE,
    shorthand: () => 'id',
    description: `At most ${MOST_AT_ONCE}, all or none. An entry may be the bare id.`,
    example: [{ id: 'AT12', reason: 'Agreed with the auditors.' }],
  })
  attributes!: AddedAttributeBody[];
}

export class ChangeReason {
  @Text({
    optional: true,
    blank: true,
    maximum: REASON_MAXIMUM_LENGTH,
    description: 'Why the project has it.',
    example: 'Agreed with the auditors.',
  })
  reason?: string;
}
