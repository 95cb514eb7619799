import { numberOf } from '#domain/kernel/item-id.js';
import { conditionsFor, PROVENANCE, provenanceFor } from './load-items.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';

/** Loads threats. The survey, the weaknesses and the public tables are there already. */
export async function loadThreats(tables: BuiltInTables, { threats }: Library): Promise<void> {
  const answerId = await tables.identities('survey_answer');
  const weaknessId = await tables.identities('weakness');
  await tables.ship(
    'threat',
    {},
    threats.map(({ id }) => ({ number: numberOf(id) })),
  );
  const threatId = await tables.identities('threat');
  await tables.shipVersions(
    'threat',
    {
      title: 'text',
      text: 'text',
      active: 'boolean',
      severity: 'integer',
      capecs: 'bigint[]',
      problems: 'bigint[]',
      stride: 'text[]',
      mitre_emb3d: 'text[]',
      maestro: 'text[]',
      mitre_attack: 'text[]',
      ...PROVENANCE,
    },
    threats.map(({ id, weaknesses, match_conditions, ...fields }) => ({
      ...fields,
      ...provenanceFor(fields),
      number: numberOf(id),
      identity: threatId(id),
      active: true,
      problems: weaknesses.map(weaknessId),
      conditions: conditionsFor(match_conditions, answerId),
    })),
  );
}
