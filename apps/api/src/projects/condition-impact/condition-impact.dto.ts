import { objectList } from '#domain/kernel/fields/fields.js';
import { matchConditionFields } from '#domain/library/match-condition/match-condition.fields.js';
import { MAX_CONDITIONS_OF_ITEM } from '#domain/library/match-condition/match-condition.rules.js';
import { BodyOf } from '../../http/body/body-of.js';

export class AssessConditions extends BodyOf({
  match_conditions: objectList('MatchConditionBody', matchConditionFields, {
    longest: MAX_CONDITIONS_OF_ITEM,
    description: 'All conditions that the countermeasure would have instead of its own; none: it would always apply.',
    example: [{ required: ['A4'], excluded: ['A9'] }],
  }),
}) {}
