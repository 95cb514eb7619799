import { RISK_RATING } from '#domain/library/weakness/weakness.rules.js';
import {
  BooleanField,
  Changes,
  IntegerField,
  IntegerListField,
  StringField,
  ObjectListField,
  Reference,
  Text,
} from '../../http/body/fields.js';
import { ReferencedItem } from '../item-references/item-references.dto.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateWeakness extends ReferencedItem {
  @StringField({
    description: 'Unique among the weaknesses that the organization sees.',
    example: 'Passwords are stored in plain text',
  })
  title!: string;

  @Text({
    alias: 'description',
    description: 'CommonMark.',
    example: 'Whoever reads the database reads every password.',
  })
  text!: string;

  @IntegerField({ ...RISK_RATING, description: '10 is the gravest.', example: 8 })
  risk_rating!: number;

  @IntegerListField({
    optional: true,
    description: 'Numbers of all its CWEs. For custom weaknesses only.',
    example: [256, 522],
  })
  cwe?: number[];

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'All match conditions. It is in a project if at least one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeWeakness extends Changes(CreateWeakness) {}

export class RemoveWeakness {
  @Reference('weakness', {
    optional: true,
    description: 'Receives its countermeasures; required where it has any.',
    example: 'P4',
  })
  new_weakness_id?: string;
}
