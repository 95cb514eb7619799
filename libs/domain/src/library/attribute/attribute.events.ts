import type { EntityManager } from '@mikro-orm/postgresql';
import type { ActivityInput } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { domainEvent } from '../../kernel/domain-events.js';
import type { Attribute } from './attribute.entity.js';

/** An item that uses an attribute, in the form in which its activity is recorded. */
export type AttributeUser = Pick<ActivityInput, 'subject' | 'id' | 'title' | 'also'>;

/** A kind of item that uses attributes. */
export interface AttributeUse {
  /** The kind in messages, in the plural. */
  readonly words: string;
  /**
   * Finds the items of the actor's organization that use the attribute, by id. Built-in content only uses built-in
   * attributes.
   */
  readonly find: (em: EntityManager, actor: Actor, attribute: Attribute) => Promise<AttributeUser[]>;
  /** Removes the attribute from all of them. */
  readonly release: (em: EntityManager, actor: Actor, attribute: Attribute) => Promise<void>;
}

/** An attribute is about to be deleted. Higher contexts return their uses of attributes. */
export const attributeUsesRequested = domainEvent<Attribute, AttributeUse>('attribute uses requested');
