import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { slugOf } from '../../kernel/fields/slug.js';
import type { ItemWrite } from '../../kernel/items/item-write.js';
import { lockRule } from '../../kernel/lock.js';
import { type RegulationSectionInput, writeRegulations, writeRegulationSections } from './regulation.commands.js';

/** A section of an edition. */
export interface EditionSection {
  readonly code: string;
  readonly title: string;
  readonly level: number | null;
}

/**
 * An edition of a custom regulation: its name and version identify it. The codes of its sections, which are in order,
 * are unique.
 */
interface Edition {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly sections: readonly EditionSection[];
}

/** Countermeasures to add to sections, by code. */
export type AddedMappings = ReadonlyMap<string, readonly string[]>;

type Value = string | number | boolean | null | readonly string[];

/** The change of a section. */
interface SectionChange {
  readonly action: 'created' | 'updated' | 'deactivated';
  readonly code: string;
  readonly title: string;
  readonly changes: Readonly<Record<string, { readonly from: Value; readonly to: Value }>>;
}

interface PresentRegulation {
  readonly id: string;
  readonly url: string;
}

interface PresentSection extends EditionSection {
  readonly id: string;
  readonly ordinal: number;
  readonly active: boolean;
  readonly countermeasures: readonly string[];
}

/** How an edition differs from what the organization has. */
interface EditionDifference {
  /** The regulation; undefined if the organization does not have this edition yet. */
  readonly regulation: PresentRegulation | undefined;
  readonly sections: readonly (SectionChange & { readonly id: string | undefined })[];
}

async function findEdition(em: EntityManager, actor: Actor, edition: Edition): Promise<PresentRegulation | undefined> {
  const { rows } = await sql<PresentRegulation>`
    SELECT item_id AS id, url FROM regulation
    WHERE organization_id = ${actor.organizationId} AND lower(name) = lower(${edition.name})
      AND version = ${edition.version}
    ORDER BY number LIMIT 1`.execute(em.getKysely());
  return rows[0];
}

async function sectionsOf(em: EntityManager, actor: Actor, regulation: string): Promise<PresentSection[]> {
  const { rows } = await sql<PresentSection>`
    SELECT s.item_id AS id, s.code, s.title, s.level, s.ordinal, s.active, ARRAY(
      SELECT c.item_id FROM regulation_section_countermeasure n JOIN countermeasure c ON c.id = n.countermeasure_id
      WHERE n.section_id = s.id ORDER BY c.organization_id IS NOT NULL, c.number) AS countermeasures
    FROM regulation_section s JOIN regulation r ON r.id = s.regulation_id
    WHERE r.organization_id = ${actor.organizationId} AND r.item_id = ${regulation}
    ORDER BY s.ordinal, s.number`.execute(em.getKysely());
  return rows;
}

/** The fields of a section that change, with their present and new values. */
function changesOf(present: PresentSection | undefined, wanted: Readonly<Record<string, Value>>) {
  const { id: _id, code: _code, ...values } = present ?? { id: '', code: '' };
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([field, to]) => {
      const from: Value = (values as Readonly<Record<string, Value>>)[field] ?? null;
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [[field, { from, to }]];
    }),
  );
}

/**
 * Compares an edition with the custom regulation of the same name and version. Sections are matched by code; those that
 * the edition no longer has are deactivated and keep their mappings, and sections without a code are left alone. Locks
 * the regulations of the organization until the transaction ends.
 *
 * @param added countermeasures that are mapped in addition to the present ones
 */
export async function compareEdition(
  em: EntityManager,
  actor: Actor,
  edition: Edition,
  added: AddedMappings = new Map(),
): Promise<EditionDifference> {
  await lockRule(em, 'regulations of an organization', actor.organizationId);
  const regulation = await findEdition(em, actor, edition);
  const presentSections = regulation ? await sectionsOf(em, actor, regulation.id) : [];
  const presentByCode = new Map(presentSections.map((section) => [section.code, section]));
  const sections = edition.sections.flatMap(({ code, title, level }, index) => {
    const present = presentByCode.get(code);
    const mapped = present?.countermeasures ?? [];
    const countermeasures = [...new Set([...mapped, ...(added.get(code) ?? [])])];
    const changes = changesOf(present, {
      title,
      level,
      ordinal: index + 1,
      ...(present && { active: true }),
      ...(countermeasures.length > mapped.length && { countermeasures }),
    });
    const action = present ? ('updated' as const) : ('created' as const);
    return Object.keys(changes).length ? [{ action, id: present?.id, code, title, changes }] : [];
  });
  const codes = new Set(['', ...edition.sections.map(({ code }) => code)]);
  const retired = presentSections
    .filter(({ code, active }) => active && !codes.has(code))
    .map(({ id, code, title }) => ({
      action: 'deactivated' as const,
      id,
      code,
      title,
      changes: { active: { from: true, to: false } },
    }));
  return { regulation, sections: [...sections, ...retired] };
}

/** Creates or updates a custom regulation as `compareEdition` found in the same transaction. Returns its id. */
export async function saveEdition(
  em: EntityManager,
  actor: Actor,
  { name, version, url }: Edition,
  { regulation, sections }: EditionDifference,
): Promise<string> {
  const slug = slugOf(`${name} ${version}`, name);
  const [id = ''] = await writeRegulations(em, actor, [
    regulation
      ? { id: regulation.id, changes: regulation.url === url ? {} : { url } }
      : { input: { name, slug, version, url } },
  ]);
  const writes = sections.map(({ id: section, code, title, changes }): ItemWrite<RegulationSectionInput> => {
    const values: Partial<RegulationSectionInput> = Object.fromEntries(
      Object.entries(changes).map(([field, { to }]) => [field, to]),
    );
    return section === undefined
      ? { input: { regulation: id, code, title, ...values } }
      : { id: section, changes: values };
  });
  await writeRegulationSections(em, actor, writes);
  return id;
}
