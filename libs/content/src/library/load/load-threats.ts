import { numberOf } from '#domain/kernel/item-id.js';
import { conditionsFor, provenanceFor } from './load-items.js';
import { Threat, ThreatVersion } from '#domain/library/threat/threat.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';

/** Loads threats. Load the survey, the weaknesses and the public tables first. */
export async function loadThreats(tables: BuiltInTables, { threats }: Library): Promise<void> {
  const answerId = await tables.identities('survey_answer');
  const weaknessId = await tables.identities('weakness');
  await tables.mergeRows(
    Threat,
    threats.map(({ id }) => ({ number: numberOf(id) })),
  );
  const threatId = await tables.identities('threat');
  await tables.mergeVersions(
    'threat',
    ThreatVersion,
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
