import { sql } from 'kysely';
import { numberOf } from '#domain/kernel/item-id.js';
import { completedByPartsOf, mappingsOf } from '../schema/library-parts.js';
import { Regulation, RegulationSection } from '#domain/library/regulation/regulation.entity.js';
import type { Library } from '../schema/library-schema.js';
import { recordset, type BuiltInTables } from './built-in-tables.js';

/**
 * Loads regulations, their sections and the mappings of countermeasures. Load countermeasures first. A section that the
 * release no longer has is deactivated and loses its mappings.
 */
export async function loadRegulations(tables: BuiltInTables, { regulations }: Library): Promise<void> {
  await tables.mergeRows(
    Regulation,
    regulations.map(({ id, name, slug, version, url }) => ({ number: numberOf(id), name, slug, version, url })),
  );

  const regulationId = await tables.identities('regulation');
  await tables.mergeRows(
    RegulationSection,
    regulations.flatMap((regulation) => {
      const completedByParts = completedByPartsOf(regulation);
      return regulation.sections.map(({ id, code, title, level }, index) => ({
        number: numberOf(id),
        regulation_id: regulationId(regulation.id),
        code,
        title,
        ordinal: index + 1,
        level: level ?? null,
        active: true,
        partial_mappings_complete: completedByParts.has(id),
      }));
    }),
    'active',
  );

  const sectionId = await tables.identities('regulation_section');
  const countermeasureId = await tables.identities('countermeasure');
  const mappings = regulations.flatMap(mappingsOf).map(({ section, countermeasure, strength, why }) => ({
    section_id: sectionId(section),
    countermeasure_id: countermeasureId(countermeasure),
    strength,
    why,
  }));
  await tables.run(
    'regulation_section_countermeasure',
    sql<{ id: string }>`
      WITH mapping AS (SELECT * FROM ${recordset(mappings, {
        section_id: 'bigint',
        countermeasure_id: 'bigint',
        strength: 'text',
        why: 'text',
      })}),
      deleted AS (
        DELETE FROM regulation_section_countermeasure present USING regulation_section s, countermeasure c
        WHERE s.id = present.section_id AND s.organization_id IS NULL
          AND c.id = present.countermeasure_id AND c.organization_id IS NULL
          AND (s.id, c.id) NOT IN (SELECT section_id, countermeasure_id FROM mapping)
        RETURNING s.id, c.id),
      added AS (
        INSERT INTO regulation_section_countermeasure AS present (section_id, countermeasure_id, strength, why)
        SELECT section_id, countermeasure_id, strength, why FROM mapping
        ON CONFLICT (section_id, countermeasure_id) DO UPDATE SET strength = excluded.strength, why = excluded.why
        WHERE (present.strength, present.why) <> (excluded.strength, excluded.why)
        RETURNING section_id, countermeasure_id)
      SELECT concat_ws('/', changed.*) AS id
        FROM (TABLE deleted UNION ALL TABLE added) changed(section, countermeasure)`,
  );
}
