import { ENTRY_ID_MAXIMUM_LENGTH, SEVERITY } from '#domain/library/threat/threat.rules.js';
import {
  BooleanField,
  Changes,
  IntegerField,
  IntegerListField,
  StringField,
  StringListField,
  ObjectListField,
  References,
  Text,
} from '../../http/body/fields.js';
import { ReferencedItem } from '../item-references/item-references.dto.js';
import { MatchConditionBody } from '../match-conditions/match-conditions.dto.js';

/** Ids of entries of one framework. */
const Entries = (framework: string, ...example: string[]): PropertyDecorator =>
  StringListField({
    maximum: ENTRY_ID_MAXIMUM_LENGTH,
    optional: true,
    description: `Ids of entries of ${framework}; the whole list.`,
    example,
  });

export class CreateThreat extends ReferencedItem {
  @StringField({ description: 'What happens, in a few words.', example: 'Stolen passwords are tried on a large scale' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Attackers replay passwords from **other** breaches.' })
  text!: string;

  @IntegerField({ ...SEVERITY, description: '10 is the gravest.', example: 8 })
  severity!: number;

  @IntegerListField({ optional: true, description: 'Numbers of CAPECs; the whole list.', example: [600] })
  capecs?: number[];

  @References('weakness', {
    optional: true,
    description: 'Weaknesses that it makes use of; the whole list.',
    example: ['P1'],
  })
  problems?: string[];

  @Entries('MAESTRO', 'L3')
  maestro?: string[];

  @Entries('MITRE ATT&CK', 'TA0006', 'T1110.004')
  mitre_attack?: string[];

  @Entries('MITRE EMB3D', 'TID-314')
  mitre_emb3d?: string[];

  @Entries('STRIDE', 'S', 'E')
  stride?: string[];

  @ObjectListField(() => MatchConditionBody, {
    optional: true,
    description: 'The whole list; it is in a project when one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeThreat extends Changes(CreateThreat) {}
