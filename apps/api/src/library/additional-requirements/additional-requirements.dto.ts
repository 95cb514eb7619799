import { BooleanField, Changes, StringField, StringListField, ObjectListField, Text } from '../../http/body/fields.js';
import { ReferencedItem } from '../item-references/item-references.dto.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateAdditionalRequirement extends ReferencedItem {
  @StringField({ example: 'Keep a pepper outside of the database' })
  title!: string;

  @Text({
    description: 'CommonMark.',
    example: 'Mix a secret that is **not** stored with the hashes into every password.',
  })
  text!: string;

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'All match conditions. It applies if at least one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeAdditionalRequirement extends Changes(CreateAdditionalRequirement) {}

export class OrderAdditionalRequirements {
  @StringListField({
    maximum: 100,
    description: 'Every additional requirement of the countermeasure once, and `SP`, the place of its own text, once.',
    example: ['SP', 'TA12'], // of T7
  })
  order!: string[];
}
