import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import type { AddedMappings, EditionSection } from './regulation-edition.commands.js';

/** A section of one edition, and the section of another edition that takes over its countermeasures. */
export interface SectionPair {
  readonly from: string;
  readonly to: string;
}

/** A mapping that was not carried over, with the reason. */
interface LeftMapping {
  readonly section: string;
  readonly countermeasure: string;
  readonly reason: string;
}

/** The mappings of one edition for the sections of another. */
export interface CarriedMappings {
  /** How many mappings of the other edition were carried over. */
  readonly carried: number;
  readonly left: readonly LeftMapping[];
  /** Countermeasures by code of the new section. */
  readonly countermeasures: AddedMappings;
}

interface Mapping {
  readonly code: string;
  readonly title: string;
  readonly countermeasure: string;
  readonly strength: string;
}

async function mappingsOf(em: EntityManager, actor: Actor, regulation: string): Promise<Mapping[]> {
  const organization = { organization: actor.organizationId };
  const { rows: found } = await sql<{ id: string }>`
    ${identitiesByItemId('regulation')([regulation], organization)}`.execute(em.getKysely());
  if (!found.length) throw new Invalid({ 'mappings-from': missingMessages(regulation) });
  const { rows } = await sql<Mapping>`
    SELECT s.code, s.title, c.item_id AS countermeasure, n.strength
    FROM regulation_section s JOIN regulation_section_countermeasure n ON n.section_id = s.id
    JOIN countermeasure c ON c.id = n.countermeasure_id
    WHERE s.regulation_id = ANY(${found.map(({ id }) => id)}::bigint[]) AND s.active
      AND ${builtInOrCustom('s', organization)} AND ${builtInOrCustom('c', organization)}
    ORDER BY s.ordinal, s.number, c.organization_id IS NOT NULL, c.number`.execute(em.getKysely());
  return rows;
}

/**
 * Finds the mappings of one edition that hold for another. Without `pairs`, these are the mappings of sections with the
 * same code and title: a code alone may mean something else. Mappings of custom sections always count as full, so
 * partial and supporting ones, which only built-in regulations have, are left.
 *
 * @throws Invalid if the organization does not see the regulation
 */
export async function carriedMappings(
  em: EntityManager,
  actor: Actor,
  regulation: string,
  sections: readonly EditionSection[],
  pairs?: readonly SectionPair[],
): Promise<CarriedMappings> {
  const titles = new Map(sections.map(({ code, title }) => [code, title]));
  const successors = new Map<string, string[]>();
  for (const { from, to } of pairs ?? [])
    if (titles.has(to)) successors.set(from, [...(successors.get(from) ?? []), to]);
  const successorsOf = ({ code, title }: Mapping): readonly string[] => {
    if (pairs) return successors.get(code) ?? [];
    return titles.get(code) === title ? [code] : [];
  };

  const countermeasures = new Map<string, string[]>();
  const left: LeftMapping[] = [];
  const mappings = await mappingsOf(em, actor, regulation);
  for (const mapping of mappings) {
    const { code, countermeasure, strength } = mapping;
    const codes = successorsOf(mapping);
    if (strength !== 'full' || !codes.length) {
      const reason =
        strength === 'full'
          ? 'No section of the new edition takes its place.'
          : `The mapping is not full: ${strength}.`;
      left.push({ section: code, countermeasure, reason });
      continue;
    }
    for (const to of codes) countermeasures.set(to, [...(countermeasures.get(to) ?? []), countermeasure]);
  }
  return { carried: mappings.length - left.length, left, countermeasures };
}
