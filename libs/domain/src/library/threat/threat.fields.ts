import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, integer, integerList, line, references, stringList, text } from '../../kernel/fields/fields.js';
import { provenanceFields } from '../item-reference/provenance.fields.js';
import { matchConditions } from '../match-condition/match-condition.fields.js';
import { SEVERITY, MAX_ENTRY_ID_LENGTH } from './threat.rules.js';

/** Ids of entries of one framework. */
const entries = (framework: string, ...example: string[]) =>
  stringList({
    maximum: MAX_ENTRY_ID_LENGTH,
    optional: true,
    description: `Ids of all its entries of ${framework}.`,
    example,
  });

export const threatFields = {
  ...provenanceFields,
  title: line({
    description: 'A short description of what happens.',
    example: 'Stolen passwords are tried on a large scale',
  }),
  text: text({ description: 'CommonMark.', example: 'Attackers replay passwords from **other** breaches.' }),
  severity: integer({ ...SEVERITY, description: '10 is the most severe.', example: 8 }),
  capecs: integerList({
    table: 'capec',
    optional: true,
    description: 'Numbers of all its CAPECs.',
    example: [600],
  }),
  problems: references('weakness', {
    optional: true,
    description: 'All weaknesses that it exploits.',
    example: ['P1'],
  }),
  maestro: entries('MAESTRO', 'L3'),
  mitre_attack: entries('MITRE ATT&CK', 'TA0006', 'T1110.004'),
  mitre_emb3d: entries('MITRE EMB3D', 'TID-314'),
  stride: entries('STRIDE', 'S', 'E'),
  match_conditions: matchConditions('it is added to a project'),
  active: boolean({ optional: true, default: true }),
};

export type ThreatInput = InputOf<typeof threatFields>;
