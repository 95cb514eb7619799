import { numberOf } from '#domain/kernel/item-id.js';
import { Countermeasure, CountermeasureVersion } from '#domain/library/countermeasure/countermeasure.entity.js';
import { LEVEL } from '#domain/library/countermeasure/countermeasure.rules.js';
import { Weakness, WeaknessVersion } from '#domain/library/weakness/weakness.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInCondition, BuiltInTables } from './built-in-tables.js';
import type { Provenance } from '../schema/item-shapes.js';
import type { MatchCondition } from '../schema/survey-shapes.js';

type Identities = (itemId: string) => number;

/** Match conditions in the format of the tables. */
export const conditionsFor = (conditions: readonly MatchCondition[], answerId: Identities): BuiltInCondition[] =>
  conditions.map(({ id, required, excluded }) => ({
    item_id: id,
    db_id: numberOf(id),
    required: required.map(answerId),
    excluded: excluded.map(answerId),
  }));

/** References and review date of an item in the format of the tables. */
export const provenanceFor = ({ references = [], reviewed_at: reviewedAt }: Provenance) => ({
  references,
  reviewed_at: reviewedAt ?? null,
});

/** Loads weaknesses and countermeasures. Load phases and the survey first. */
export async function loadItems(tables: BuiltInTables, { weaknesses, countermeasures }: Library): Promise<void> {
  const answerId = await tables.identities('survey_answer');
  const phaseId = await tables.identities('phase');

  await tables.mergeRows(
    Weakness,
    weaknesses.map(({ id }) => ({ number: numberOf(id) })),
  );
  const weaknessId = await tables.identities('weakness');
  await tables.mergeVersions(
    'weakness',
    WeaknessVersion,
    weaknesses.map(({ id, title, text, risk_rating, category, cwe, match_conditions, ...others }) => ({
      number: numberOf(id),
      identity: weaknessId(id),
      title,
      text,
      active: true,
      risk_rating,
      category,
      cwes: cwe,
      ...provenanceFor(others),
      conditions: conditionsFor(match_conditions, answerId),
    })),
  );

  await tables.mergeRows(
    Countermeasure,
    countermeasures.map(({ id }) => ({ number: numberOf(id) })),
  );
  const countermeasureId = await tables.identities('countermeasure');
  await tables.mergeVersions(
    'countermeasure',
    CountermeasureVersion,
    countermeasures.map(({ id, weakness, phase, match_conditions, level = LEVEL.minimum, ...fields }) => ({
      ...fields,
      level,
      ...provenanceFor(fields),
      number: numberOf(id),
      identity: countermeasureId(id),
      active: true,
      weakness_id: weaknessId(weakness),
      phase_id: phaseId(phase),
      conditions: conditionsFor(match_conditions, answerId),
    })),
  );
}
