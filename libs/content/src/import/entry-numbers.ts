import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor.js';
import { LARGEST_GIVEN_NUMBER } from '#domain/batch/item-numbers.js';
import type { ContentModel } from '#domain/content-models.js';
import { freeNumbers, keepNumbers } from '#domain/id-counter.js';
import { isCustomId, numberOf } from '#domain/item-id.js';
import type { CellValue } from '../formats/format-writer.js';
import { type Entry, entriesOf } from './nested-values.js';

type EntryKind = 'component_answer' | 'workflow_prompt_context';

/** The number that a file gives to what stands within a row, where an organization can have it. */
function numberOfEntry({ id }: Entry): number | undefined {
  const number = typeof id === 'string' && isCustomId(id) ? numberOf(id) : id;
  return typeof number === 'number' && number <= LARGEST_GIVEN_NUMBER ? number : undefined;
}

/** The numbers that files give to answers of components' questions and to contexts of prompts. */
export class EntryNumbers {
  private readonly given: Readonly<Record<EntryKind, number[]>> = { component_answer: [], workflow_prompt_context: [] };

  /** @param entries of a row of this model, if it has any */
  note(model: ContentModel, entries: CellValue | undefined): void {
    const kind = model === 'workflow_prompt' ? 'workflow_prompt_context' : 'component_answer';
    for (const entry of entriesOf(entries)) {
      const number = numberOfEntry(entry);
      if (number !== undefined) this.given[kind].push(number);
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
    const isFree = await freeNumbers(em, actor, kind);
    const kept = new Set(this.given[kind].filter(isFree));
    await keepNumbers(em, actor, kind, [...kept]);
    return kept;
  }
}
