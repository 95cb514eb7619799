import type { InputOf } from '../../kernel/fields/field.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { slugOf } from '../../kernel/fields/slug.js';
import { tables } from '../../kernel/tables.js';
import { itemCommand } from '../item-batch/write-items.js';
import { Regulation, RegulationSection } from './regulation.entity.js';
import type { regulationFields, regulationSectionFields } from './regulation.fields.js';

/** A custom regulation with its sections, in order. Codes are unique within it. */
export interface RegulationInput {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly sections: readonly { readonly code: string; readonly title: string }[];
}

/** Whether a regulation was created or updated, and how many of its sections. */
export interface SavedRegulation {
  readonly id: string;
  readonly created: number;
  readonly updated: number;
}

export const writeRegulations = itemCommand<InputOf<typeof regulationFields>>({
  table: {
    kind: 'regulation',
    entity: Regulation,
  },
  title: 'name',
  defaults: ({ name }, id) => ({ slug: slugOf(name, id.toLowerCase()) }),
});

/** Creates and changes sections of custom regulations, with the countermeasures that satisfy them. */
export const writeRegulationSections = itemCommand<InputOf<typeof regulationSectionFields>>({
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

/**
 * Creates a custom regulation, or updates the one with the same name. Sections are matched by code and keep their ids
 * and countermeasures; sections that are no longer listed are kept.
 */
export async function saveRegulation(
  em: EntityManager,
  actor: Actor,
  { sections, name, ...edition }: RegulationInput,
): Promise<SavedRegulation> {
  await lockRule(em, 'regulations of an organization', actor.organizationId);
  const slug = slugOf(name, name);
  const database = tables(em, Regulation, RegulationSection);
  const existing = await database
    .selectFrom('regulation')
    .select(['item_id as id', 'version', 'url'])
    .where('organization_id', '=', actor.organizationId)
    .where('slug', '=', slug)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  const isSame = existing?.version === edition.version && existing.url === edition.url;
  const changes = isSame ? {} : edition;
  const [id = ''] = await writeRegulations(em, actor, [
    existing ? { id: existing.id, changes } : { input: { name, slug, ...edition } },
  ]);

  const currentSections = await database
    .selectFrom('regulation_section as s')
    .innerJoin('regulation as r', 'r.id', 's.regulation_id')
    .select(['s.item_id as id', 's.code', 's.title', 's.ordinal'])
    .where('r.organization_id', '=', actor.organizationId)
    .where('r.item_id', '=', id)
    .execute();
  const sectionsByCode = new Map(currentSections.map((section) => [section.code, section]));
  const orderedSections = sections.map((section, index) => ({ ...section, ordinal: index + 1 }));
  const newSections = orderedSections.flatMap((input) =>
    sectionsByCode.has(input.code) ? [] : { input: { regulation: id, ...input } },
  );
  const changed = orderedSections.flatMap(({ code, title, ordinal }) => {
    const section = sectionsByCode.get(code);
    const differs = section && (section.title !== title || section.ordinal !== ordinal);
    return differs ? { id: section.id, changes: { title, ordinal } } : [];
  });
  await writeRegulationSections(em, actor, [...newSections, ...changed]);
  return { id, created: newSections.length, updated: changed.length };
}
