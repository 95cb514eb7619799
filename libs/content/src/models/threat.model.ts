import { boolean, integer, json, list, text, timestamp } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const threatModel = modelWithoutRows({
  name: 'threat',
  title: 'Threats',
  columns: {
    id: text('Such as `TH7`.'),
    db_id: integer('Negative for custom content.', { readOnly: true }),
    title: text(''),
    text: text('CommonMark.', { long: true }),
    severity: integer('10 is the gravest.'),
    type: text('Where it comes from.', { readOnly: true }),
    active: boolean(''),
    capecs: list('', { references: 'capec' }),
    problems: list('The weaknesses that make it possible.', { references: 'weakness' }),
    maestro: list('Entries of MAESTRO.', { references: 'threat_framework' }),
    mitre_emb3d: list('Entries of MITRE EMB3D.', { references: 'threat_framework' }),
    stride: list('Entries of STRIDE.', { references: 'threat_framework' }),
    mitre_attack: list('Tactics of MITRE ATT&CK.', { references: 'threat_framework' }),
    created_date: timestamp('When it was made.', { readOnly: true }),
    created_by: json('Who made it.', { readOnly: true }),
    last_updated_date: timestamp('When it was last changed.', { readOnly: true }),
    last_updated_by: json('Who changed it last.', { readOnly: true }),
    match_conditions: json('The item is in a project when one of its conditions holds.', { references: 'answer' }),
  },
});
