import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import type { Kind } from '../../kernel/item-id.js';
import { findIdentities } from '../../kernel/items/find-identities.js';

/** The kinds that a context can reference. Weaknesses and profiles share a prefix: an id may match either. */
export const LIBRARY_KINDS: readonly Kind[] = [
  'additional_requirement',
  'attribute',
  'component',
  'component_question',
  'countermeasure',
  'glossary_term',
  'how_to',
  'phase',
  'profile',
  'regulation',
  'regulation_section',
  'survey_answer',
  'survey_question',
  'survey_section',
  'threat',
  'weakness',
];

/** Those of the ids under which the actor's organization sees a library item of any kind. */
export async function findLibraryItems(em: EntityManager, actor: Actor, ids: Iterable<string>): Promise<Set<string>> {
  const idList = [...ids];
  const foundIds = new Set<string>();
  for (const kind of LIBRARY_KINDS)
    for (const id of (await findIdentities(em, actor, kind, idList)).keys()) foundIds.add(id);
  return foundIds;
}
