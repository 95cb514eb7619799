import { PRIORITY, TAG_MAXIMUM_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import {
  BooleanField,
  Changes,
  IntegerField,
  StringField,
  StringListField,
  ObjectListField,
  Reference,
  Text,
} from '../../http/body/fields.js';
import { ReferencedItem } from '../item-references/item-references.dto.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

export class CreateCountermeasure extends ReferencedItem {
  @StringField({ description: 'What is to be done, in a few words.', example: 'Hash passwords with Argon2id' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Store passwords **only** as slow, salted hashes.' })
  text!: string;

  @Reference('weakness', { description: 'The weakness that it addresses.', example: 'P4' })
  problem!: string;

  @IntegerField({ ...PRIORITY, description: '10 is the most urgent.', example: 8 })
  priority!: number;

  @Reference('phase', { description: 'When it is due.', example: 'X3' })
  phase!: string;

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'All match conditions. It is in a project if at least one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @StringListField({
    maximum: TAG_MAXIMUM_LENGTH,
    optional: true,
    description: 'All tags.',
    example: ['passwords'],
  })
  tags?: string[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeCountermeasure extends Changes(CreateCountermeasure) {}
