import { MAX_AT_ONCE, MAX_REASON_LENGTH } from '#domain/projects/project-attribute/project-attribute.rules.js';
import { objectList, reference, text } from '#domain/kernel/fields/fields.js';
import { BareList, BodyOf } from '../../http/body/body-of.js';

const reason = text({
  optional: true,
  blank: true,
  maximum: MAX_REASON_LENGTH,
  description: 'Why it was added to the project.',
  example: 'Agreed with the auditors.',
});

const addedAttributeFields = {
  id: reference('attribute', { example: 'AT12' }),
  reason,
};

/** An object with this field, or the bare list. */
@BareList('attributes')
export class AddAttributes extends BodyOf({
  attributes: objectList('AddedAttributeBody', addedAttributeFields, {
    longest: MAX_AT_ONCE,
    shorthand: () => 'id',
    description: `At most ${MAX_AT_ONCE}. All or none are added. An entry may be just the id.`,
    example: [{ id: 'AT12', reason: 'Agreed with the auditors.' }],
  }),
}) {}

export class ChangeReason extends BodyOf({
  reason,
}) {}
