import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { findIdentities } from '#domain/kernel/items/find-identities.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { findLibraryItems, LIBRARY_KINDS } from '#domain/library/workflow-prompt/library-item.js';
import type { Referred, Target } from '../plans/field-plan.js';

/** Looks up ids: items that the organization can see, entries of public catalogs, and new items in the files. */
export class Items {
  private readonly inFiles = new Map<Target, Set<string>>();
  private readonly inLibrary = new Map<Target, Map<string, number | undefined>>();
  /** The question of each component answer. */
  private readonly questions = new Map<string, string>();

  constructor(
    private readonly em: EntityManager,
    private readonly actor: Actor,
  ) {}

  /** Registers the id of a new item in the files. */
  register(kind: Kind, id: string): void {
    this.inFiles.set(kind, (this.inFiles.get(kind) ?? new Set()).add(id));
  }

  /** Registers the question of a component answer. */
  registerAnswer(id: string, question: string): void {
    this.register('component_answer', id);
    this.questions.set(id, question);
  }

  /** Loads all referenced items that are not loaded yet. */
  async load(referred: readonly Referred[]): Promise<void> {
    const idsByTarget = new Map<Target, Set<string>>();
    for (const { target, id } of referred) {
      if (this.knownOf(target).has(id)) continue;
      idsByTarget.set(target, (idsByTarget.get(target) ?? new Set()).add(id));
    }
    if (!idsByTarget.size) return;
    await inTransaction(this.em, this.actor, async (em) => {
      for (const [target, ids] of idsByTarget) {
        const foundItems = await this.find(em, target, ids);
        const knownIds = this.knownOf(target);
        for (const id of ids) knownIds.set(id, foundItems.get(id));
      }
    });
  }

  has({ target, id }: Referred): boolean {
    const kinds = target === 'library_item' ? LIBRARY_KINDS : [target];
    return this.knownOf(target).get(id) !== undefined || kinds.some((kind) => this.inFiles.get(kind)?.has(id) === true);
  }

  /** The question of a component answer. */
  questionOf(answer: string): string | undefined {
    return this.questions.get(answer);
  }

  private knownOf(target: Target): Map<string, number | undefined> {
    const knownIds = this.inLibrary.get(target) ?? new Map<string, number | undefined>();
    this.inLibrary.set(target, knownIds);
    return knownIds;
  }

  private async find(
    em: EntityManager,
    target: Target,
    ids: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, number>> {
    if (target === 'cwe' || target === 'capec')
      return publicIds(
        em,
        sql`SELECT id::text AS id FROM ${sql.table(target)} WHERE id::text = ANY(${[...ids]}::text[])`,
      );
    if (target === 'component_icon')
      return publicIds(em, sql`SELECT slug AS id FROM component_icon WHERE slug = ANY(${[...ids]}::text[])`);
    if (target === 'framework_entry')
      return publicIds(
        em,
        sql`SELECT f.slug || '/' || e.entry_id AS id FROM threat_framework_entry e
        JOIN threat_framework f ON f.id = e.framework_id WHERE f.slug || '/' || e.entry_id = ANY(${[...ids]}::text[])`,
      );
    if (target === 'library_item')
      return new Map([...(await findLibraryItems(em, this.actor, ids))].map((id) => [id, 1]));
    const identities = await findIdentities(em, this.actor, target, ids);
    if (target === 'component_answer') await this.loadQuestions(em, identities);
    return identities;
  }

  private async loadQuestions(em: EntityManager, answers: ReadonlyMap<string, number>): Promise<void> {
    const { rows } = await sql<{ answer: string; question: string }>`
      SELECT a.item_id AS answer, q.item_id AS question FROM component_answer a
      JOIN component_question q ON q.id = a.question_id
      WHERE a.id = ANY(${[...answers.values()]}::bigint[])`.execute(em.getKysely());
    for (const { answer, question } of rows) this.questions.set(answer, question);
  }
}

/** Ids of entries of public catalogs, which are the same for all organizations. */
async function publicIds(em: EntityManager, query: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const { rows } = await query.execute(em.getKysely());
  return new Map((rows as { id: string }[]).map(({ id }) => [id, 1]));
}
