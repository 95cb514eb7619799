import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../actor.js';
import { idShape, type Kind } from '../item-id.js';
import { findIdentities } from '../overlay/find-identities.js';

/** What a context can refer to as an item of the library. Weaknesses and profiles share a letter: either will do. */
const LIBRARY_KINDS: readonly Kind[] = [
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

/** Whether the actor's organization sees an item of the library with this id, of whatever kind. */
export async function findLibraryItem(em: EntityManager, actor: Actor, id: string): Promise<boolean> {
  for (const kind of LIBRARY_KINDS.filter((one) => idShape(one).test(id)))
    if ((await findIdentities(em, actor, kind, [id])).size) return true;
  return false;
}
