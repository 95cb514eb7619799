import { BooleanField, Changes, StringField, ObjectListField, Text } from '../../http/body/fields.js';
import { ReferencedItem } from '../item-references/item-references.dto.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateHowTo extends ReferencedItem {
  @StringField({ example: 'Spring Security' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Use `Argon2PasswordEncoder` with its defaults for new hashes.' })
  text!: string;

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'All match conditions. It applies if at least one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;

  @StringField({
    optional: true,
    blank: true,
    description: 'Versions of products that it holds for.',
    example: 'Spring Security 7',
  })
  versions?: string;
}

export class ChangeHowTo extends Changes(CreateHowTo) {}
