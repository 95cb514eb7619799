import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { LARGEST_IMPORTED_NUMBER } from '#domain/kernel/item-numbers.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { findFreeNumbers, markNumbersUsed } from '#domain/kernel/id-counter.js';
import { isCustomId, numberOf } from '#domain/kernel/item-id.js';
import type { CellValue } from '#files/cell-value.js';
import { type Entry, entriesOf } from './nested-values.js';

type EntryKind = 'component_answer' | 'workflow_prompt_context';

/** Entries within the rows of a model that have a number of their own. */
const KINDS: Readonly<Partial<Record<ContentModel, EntryKind>>> = {
  component_question: 'component_answer',
  workflow_prompt: 'workflow_prompt_context',
};

/** The number that a file gives to an entry of a row, where an organization can have it. */
function numberOfEntry({ id }: Entry): number | undefined {
  const number = typeof id === 'string' && isCustomId(id) ? numberOf(id) : id;
  return typeof number === 'number' && number <= LARGEST_IMPORTED_NUMBER ? number : undefined;
}

/** The numbers that files give to answers of components' questions and to contexts of prompts. */
export class EntryNumbers {
  /** Those that were free when they were noted: most entries of an export have numbers that are given away. */
  private readonly given: Readonly<Record<EntryKind, Set<number>>> = {
    component_answer: new Set(),
    workflow_prompt_context: new Set(),
  };

  private constructor(private readonly isFree: Readonly<Record<EntryKind, (number: number) => boolean>>) {}

  /** For the numbers of the actor's organization. */
  static async of(em: EntityManager, actor: Actor): Promise<EntryNumbers> {
    return new EntryNumbers({
      component_answer: await findFreeNumbers(em, actor, 'component_answer'),
      workflow_prompt_context: await findFreeNumbers(em, actor, 'workflow_prompt_context'),
    });
  }

  /** @param entries of a row of this model, if it has any */
  note(model: ContentModel, entries: CellValue | undefined): void {
    const kind = KINDS[model];
    if (kind === undefined) return;
    for (const entry of entriesOf(entries)) {
      const number = numberOfEntry(entry);
      if (number !== undefined && this.isFree[kind](number)) this.given[kind].add(number);
    }
  }

  /**
   * Takes those that are free, before any are counted up: what names its number may come later than what does not.
   *
   * @returns the numbers that contexts can have: each only one
   */
  async claim(em: EntityManager, actor: Actor): Promise<Set<number>> {
    await this.claimOf(em, actor, 'component_answer');
    return this.claimOf(em, actor, 'workflow_prompt_context');
  }

  private async claimOf(em: EntityManager, actor: Actor, kind: EntryKind): Promise<Set<number>> {
    // Others may have taken some since they were noted; none gets free again.
    const isFree = await findFreeNumbers(em, actor, kind);
    const kept = new Set([...this.given[kind]].filter(isFree));
    await markNumbersUsed(em, actor, kind, [...kept]);
    return kept;
  }
}
