import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { nextNumber, nextNumbers } from '../../kernel/id-counter.js';
import { customId } from '../../kernel/item-id.js';
import { lockRule } from '../../kernel/lock.js';
import { slugOf } from '../../kernel/slug.js';
import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';
import { Regulation, RegulationSection } from './regulation.entity.js';

/** A regulation of an organization with its sections, in their order. Codes are unique in it. */
export interface RegulationInput {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly sections: readonly { readonly code: string; readonly title: string }[];
}

/** What became of a regulation. */
export interface SavedRegulation {
  readonly id: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/**
 * Makes an organization's own regulation, or brings the one of the same name up to date: sections are told apart by
 * their code and keep their ids and countermeasures; those that are not named any more stay.
 */
export async function saveRegulation(
  em: EntityManager,
  actor: Actor,
  { name, version, url, sections }: RegulationInput,
): Promise<SavedRegulation> {
  await lockRule(em, 'regulations of an organization', actor.organizationId);
  const { identity, id } = await saveHeader(em, actor, { name, version, url });

  const { rows: present } = await sql<{ code: string }>`
    SELECT code FROM regulation_section WHERE regulation_id = ${identity}`.execute(em.getKysely());
  const known = new Set(present.map(({ code }) => code));
  const fresh = sections.filter(({ code }) => !known.has(code));
  let next = fresh.length ? await nextNumbers(em, actor, 'regulation_section', fresh.length) : 0;
  const rows = sections.map((section, index) => ({
    ...section,
    ordinal: index + 1,
    number: known.has(section.code) ? null : next++,
  }));
  const { rows: updated } = await sql<{ id: string }>`
    WITH given AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(code text, title text, ordinal integer,
        number integer)),
    added AS (
      INSERT INTO regulation_section (organization_id, regulation_id, number, code, title, ordinal)
      SELECT ${actor.organizationId}, ${identity}, number, code, title, ordinal FROM given WHERE number IS NOT NULL)
    UPDATE regulation_section s SET title = given.title, ordinal = given.ordinal FROM given
    WHERE s.regulation_id = ${identity} AND s.code = given.code
      AND (s.title, s.ordinal) <> (given.title, given.ordinal) RETURNING s.id`.execute(em.getKysely());
  return {
    id,
    created: fresh.length,
    updated: updated.length,
    unchanged: sections.length - fresh.length - updated.length,
  };
}

async function saveHeader(
  em: EntityManager,
  actor: Actor,
  { name, version, url }: Omit<RegulationInput, 'sections'>,
): Promise<{ identity: number; id: string }> {
  const slug = slugOf(name, name);
  const { rows } = await sql<{ id: number; item_id: string }>`
    UPDATE regulation SET version = ${version}, url = ${url}
    WHERE id = (SELECT min(id) FROM regulation WHERE organization_id = ${actor.organizationId} AND slug = ${slug})
    RETURNING id, item_id`.execute(em.getKysely());
  const [present] = rows;
  if (present) return { identity: present.id, id: present.item_id };
  const number = await nextNumber(em, actor, 'regulation');
  const { rows: made } = await sql<{ id: number }>`
    INSERT INTO regulation (organization_id, number, name, slug, version, url)
    VALUES (${actor.organizationId}, ${number}, ${name}, ${slug}, ${version}, ${url}) RETURNING id`.execute(
    em.getKysely(),
  );
  return { identity: Number(made[0]?.id), id: customId('regulation', number) };
}

/** Makes and changes custom regulations. */
export const writeRegulations = itemCommand<FieldsOfFile>({
  table: {
    kind: 'regulation',
    entity: Regulation,
  },
  title: 'name',
  defaults: ({ name }, id) => ({ slug: slugOf(String(name), id.toLowerCase()) }),
});

/** Makes and changes sections of custom regulations, with the countermeasures that satisfy them. */
export const writeRegulationSections = itemCommand<FieldsOfFile>({
  table: {
    kind: 'regulation_section',
    entity: RegulationSection,
  },
  references: {
    regulation: { kind: 'regulation', column: 'regulation_id' },
    countermeasures: { kind: 'countermeasure', table: 'regulation_section_countermeasure', column: 'section_id' },
  },
  places: { within: 'regulation_id' },
  defaults: () => ({ code: '' }),
});
