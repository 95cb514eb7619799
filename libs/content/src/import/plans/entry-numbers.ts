import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { MAX_IMPORTED_NUMBER } from '#domain/kernel/items/item-numbers.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { findFreeNumbers, markNumbersUsed } from '#domain/kernel/items/id-counter.js';
import { isCustomId, numberOf } from '#domain/kernel/item-id.js';
import type { CellValue } from '#files/cell-value.js';
import { type Entry, entriesOf } from './nested-values.js';

type EntryKind = 'component_answer' | 'workflow_prompt_context';

/** Models whose rows contain entries with ids of their own. */
const KINDS: Readonly<Partial<Record<ContentModel, EntryKind>>> = {
  component_question: 'component_answer',
  workflow_prompt: 'workflow_prompt_context',
};

/** The number of an entry in a file, if its id is one that organizations can have. */
function numberOfEntry({ id }: Entry): number | undefined {
  const number = typeof id === 'string' && isCustomId(id) ? numberOf(id) : id;
  return typeof number === 'number' && number <= MAX_IMPORTED_NUMBER ? number : undefined;
}

/** The numbers of component answers and of prompt contexts in the files. */
export class EntryNumbers {
  /**
   * Numbers that were unused when they were noted. Most entries of an export exist already, so their numbers are used.
   */
  private readonly unused: Readonly<Record<EntryKind, Set<number>>> = {
    component_answer: new Set(),
    workflow_prompt_context: new Set(),
  };

  private constructor(private readonly isFree: Readonly<Record<EntryKind, (number: number) => boolean>>) {}

  /** Reads which numbers the actor's organization has used. */
  static async of(em: EntityManager, actor: Actor): Promise<EntryNumbers> {
    return new EntryNumbers({
      component_answer: await findFreeNumbers(em, actor, 'component_answer'),
      workflow_prompt_context: await findFreeNumbers(em, actor, 'workflow_prompt_context'),
    });
  }

  /** @param entries those of a row of this model, if any */
  note(model: ContentModel, entries: CellValue | undefined): void {
    const kind = KINDS[model];
    if (kind === undefined) return;
    for (const entry of entriesOf(entries)) {
      const number = numberOfEntry(entry);
      if (number !== undefined && this.isFree[kind](number)) this.unused[kind].add(number);
    }
  }

  /**
   * Reserves the unused ones before any number is generated, since a row with a number may follow a row without one.
   *
   * @returns the numbers that contexts can have, each for one context
   */
  async claim(em: EntityManager, actor: Actor): Promise<Set<number>> {
    await this.claimOf(em, actor, 'component_answer');
    return this.claimOf(em, actor, 'workflow_prompt_context');
  }

  private async claimOf(em: EntityManager, actor: Actor, kind: EntryKind): Promise<Set<number>> {
    // Some may have been used since they were noted; numbers are never freed.
    const isFree = await findFreeNumbers(em, actor, kind);
    const keptNumbers = new Set([...this.unused[kind]].filter(isFree));
    await markNumbersUsed(em, actor, kind, [...keptNumbers]);
    return keptNumbers;
  }
}
