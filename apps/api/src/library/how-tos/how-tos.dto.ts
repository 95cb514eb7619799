import { Bool, Changes, Line, Objects, Text } from '../../http/body/fields.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateHowTo {
  @Line({ example: 'Spring Security' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Use `Argon2PasswordEncoder` with its defaults for new hashes.' })
  text!: string;

  @Objects(() => MatchConditionBody, {
    optional: true,
    description: 'The whole list; it applies where one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @Bool({ optional: true, default: true })
  active?: boolean;
}

export class ChangeHowTo extends Changes(CreateHowTo) {}
