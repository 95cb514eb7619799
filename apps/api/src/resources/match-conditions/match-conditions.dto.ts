import { Line, References } from '../../http/body/fields.js';

export class MatchConditionBody {
  @Line({ optional: true, description: 'Id of a condition of this item that is to stay itself.', example: 'CMC3' })
  id?: string;

  @References('survey_answer', { optional: true, description: 'Answers that must all be there.', example: ['A4'] })
  required?: string[];

  @References('survey_answer', { optional: true, description: 'Answers of which none may be there.', example: ['A9'] })
  excluded?: string[];
}
