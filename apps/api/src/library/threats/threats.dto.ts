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
    description: `Ids of all its entries of ${framework}.`,
    example,
  });

export class CreateThreat extends ReferencedItem {
  @StringField({ description: 'What happens, in a few words.', example: 'Stolen passwords are tried on a large scale' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Attackers replay passwords from **other** breaches.' })
  text!: string;

  @IntegerField({ ...SEVERITY, description: '10 is the most severe.', example: 8 })
  severity!: number;

  @IntegerListField({ optional: true, description: 'Numbers of all its CAPECs.', example: [600] })
  capecs?: number[];

  @References('weakness', {
    optional: true,
    description: 'All weaknesses that it exploits.',
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
    description: 'All match conditions. It is in a project if at least one of them holds.',
  })
  match_conditions?: MatchConditionBody[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeThreat extends Changes(CreateThreat) {}
