import { BooleanField, Changes, StringField, ObjectListField, Text } from '../../http/body/fields.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateHowTo {
  @StringField({ example: 'Spring Security' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Use `Argon2PasswordEncoder` with its defaults for new hashes.' })
  text!: string;

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'The whole list; it applies where one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeHowTo extends Changes(CreateHowTo) {}
