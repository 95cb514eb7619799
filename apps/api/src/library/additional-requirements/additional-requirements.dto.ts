import { Bool, Changes, Line, Lines, Objects, Text } from '../../http/body/fields.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateAdditionalRequirement {
  @Line({ example: 'Keep a pepper outside of the database' })
  title!: string;

  @Text({
    description: 'CommonMark.',
    example: 'Mix a secret that is **not** stored with the hashes into every password.',
  })
  text!: string;

  @Objects(() => MatchConditionBody, {
    optional: true,
    description: 'The whole list; it applies where one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @Bool({ optional: true, default: true })
  active?: boolean;
}

export class ChangeAdditionalRequirement extends Changes(CreateAdditionalRequirement) {}

export class OrderAdditionalRequirements {
  @Lines({
    maximum: 100,
    description: 'Every additional requirement of the countermeasure once, and `SP`, the place of its own text, once.',
    example: ['TA5', 'SP', 'CTA1'],
  })
  order!: string[];
}
