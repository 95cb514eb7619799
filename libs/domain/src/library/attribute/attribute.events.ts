import type { EntityManager } from '@mikro-orm/postgresql';
import type { ActivityInput } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { domainEvent } from '../../kernel/domain-events.js';
import type { Attribute } from './attribute.entity.js';

/** An item that uses an attribute, as its activity names it. */
export type AttributeUser = Pick<ActivityInput, 'subject' | 'id' | 'title' | 'also'>;

/** A kind of item that attributes are used in. */
export interface AttributeUse {
  /** What the items are to the attribute, in words for a message. */
  readonly words: string;
  /**
   * The items of the actor's organization that use the attribute, by id. Built-in content uses built-in attributes
   * only.
   */
  readonly find: (em: EntityManager, actor: Actor, attribute: Attribute) => Promise<AttributeUser[]>;
  /** Takes the attribute out of all of them. */
  readonly release: (em: EntityManager, actor: Actor, attribute: Attribute) => Promise<void>;
}

/** An attribute is about to be deleted: contexts above the library say in what they use attributes. */
export const attributeUsesRequested = domainEvent<Attribute, AttributeUse>('attribute uses requested');
