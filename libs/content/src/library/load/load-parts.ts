import { numberOf } from '#domain/kernel/item-id.js';
import { conditionsFor, provenanceFor } from './load-items.js';
import {
  AdditionalRequirement,
  AdditionalRequirementVersion,
} from '#domain/library/additional-requirement/additional-requirement.entity.js';
import { HowTo, HowToVersion } from '#domain/library/how-to/how-to.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';

type CountermeasureParts = Library['additionalRequirements'] | Library['howTos'];

/** Loads the identities of parts of countermeasures, and returns for each part the columns that all kinds have. */
async function loadKind<Part extends CountermeasureParts[number]>(
  tables: BuiltInTables,
  kind: 'additional_requirement' | 'how_to',
  parts: readonly Part[],
) {
  const answerId = await tables.identities('survey_answer');
  const countermeasureId = await tables.identities('countermeasure');
  await tables.mergeRows(
    kind === 'how_to' ? HowTo : AdditionalRequirement,
    parts.map(({ id, countermeasure }) => ({
      number: numberOf(id),
      countermeasure_id: countermeasureId(countermeasure),
    })),
  );
  const identity = await tables.identities(kind);
  return parts.map((part) => ({
    part,
    number: numberOf(part.id),
    identity: identity(part.id),
    title: part.title,
    text: part.text,
    active: true,
    ...provenanceFor(part),
    conditions: conditionsFor(part.match_conditions, answerId),
  }));
}

/** Loads additional requirements and how-tos. Load the survey and the countermeasures first. */
export async function loadParts(tables: BuiltInTables, { additionalRequirements, howTos }: Library): Promise<void> {
  const last = new Map<string, number>();
  const requirements = await loadKind(tables, 'additional_requirement', additionalRequirements);
  await tables.mergeVersions(
    'additional_requirement',
    AdditionalRequirementVersion,
    requirements.map(({ part: { countermeasure }, ...row }) => {
      const ordinal = (last.get(countermeasure) ?? 0) + 1;
      last.set(countermeasure, ordinal);
      return { ...row, ordinal };
    }),
  );
  const howToRows = await loadKind(tables, 'how_to', howTos);
  await tables.mergeVersions(
    'how_to',
    HowToVersion,
    howToRows.map(({ part: { slug, versions = '' }, ...row }) => ({ ...row, slug, versions })),
  );
}
