import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReservedItem } from '#domain/kernel/item-numbers.js';
import type { Changes } from '../plans/changes.js';
import type { Items } from '../difference/items.js';
import type { References } from '../difference/references.js';
import type { WriteBehind } from '../difference/write-behind.js';

/** A row that changes something, with the ids of its item. */
export interface Applied {
  readonly changes: Changes;
  readonly identity: number;
  /** Of a new item, the row that it is written to. */
  readonly version?: number;
  readonly id: string;
  readonly number: number;
  readonly created: boolean;
}

/** What all batches of one import share. */
export interface Applying {
  readonly em: EntityManager;
  readonly actor: Actor;
  readonly items: Items;
  readonly references: References;
  /** What nothing waits for is written while the next batch is made. */
  readonly behind: WriteBehind;
  /** Ids of new items, by position. */
  readonly assigned: ReadonlyMap<number, ReservedItem>;
  /** Which numbers no match condition of the organization had before. */
  readonly isFreeCondition: (number: number) => boolean;
  /** Numbers that conditions have kept. */
  readonly keptConditions: Set<number>;
  /** Numbers that were taken for contexts of prompts and that none has yet. */
  readonly keptContexts: Set<number>;
}
