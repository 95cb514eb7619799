import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor.js';
import { LARGEST_GIVEN_NUMBER } from '#domain/batch/item-numbers.js';
import { freeNumbers } from '#domain/id-counter.js';
import type { ImportError } from '#domain/import-job/import-job.rules.js';
import { idShape, type Kind, LARGEST_SHIPPED_NUMBER, numberOf } from '#domain/item-id.js';
import { missing } from '#domain/refusal.js';
import type { Reading } from '#query/projection.js';
import type { RowValues } from '../formats/format-writer.js';
import type { ModelDescription } from '../models/content-model.js';
import { describe } from '../models/models.js';
import { compareRow } from './compare-row.js';
import type { Referred } from './field-plan.js';
import type { Items } from './items.js';
import { entriesOf } from './nested-values.js';
import type { Plan } from './plan.js';
import { PLANS } from './plans.js';
import { presentRows } from './present-rows.js';
import { questionnaireProblems } from './questionnaires.js';
import type { Changes, FieldChange, Outcome, StagedRow, Unread } from './staging.js';

/** Whether an id is one of content that comes with the product. */
export const isShippedId = (kind: Kind, id: string): boolean =>
  kind === 'workflow_prompt' ? Number(id) <= LARGEST_SHIPPED_NUMBER : !id.startsWith('C');

/** The ids that a row's changes refer to, with the fields that do. */
export const referredBy = (plan: Plan, changes: Changes): { field: string; referred: Referred }[] =>
  Object.entries(changes).flatMap(([field, { from, to }]) =>
    (plan.fields[field]?.refersTo?.(to, from) ?? []).map((referred) => ({ field, referred })),
  );

/** The columns that a row says nothing of. */
const missingIn = ({ columns }: ModelDescription, given: RowValues): ReadonlySet<string> =>
  new Set(columns.flatMap(({ name }) => (Object.hasOwn(given, name) ? [] : [name])));

/** Holds staged rows against the library, batch by batch. */
export class Difference {
  /** Which numbers the organization has never given away, by kind. */
  private readonly free = new Map<Kind, (number: number) => boolean>();
  /** Ids of new answers of components' questions. */
  private readonly newAnswers = new Set<string>();

  constructor(
    private readonly em: EntityManager,
    private readonly actor: Actor,
    private readonly reading: Reading,
    private readonly items: Items,
    private readonly refuse: (error: ImportError) => void,
    private readonly unread: Unread = new Map(),
  ) {}

  /** What the rows of a batch, all of one model, would do. What is wrong goes to `refuse`. */
  async compare(rows: readonly StagedRow[]): Promise<Outcome[]> {
    const name = rows[0]?.model;
    if (name === undefined) return [];
    const model = describe(name);
    const plan = PLANS[name];
    const shape = plan ? idShape(plan.kind) : /^.{1,20}$/s;
    const ids = rows.flatMap(({ id }) => (id !== null && shape.test(id) ? [id] : []));
    const present = await presentRows(this.em, model, ids, this.reading);
    if (!plan) return rows.map((row) => this.compareGiven(row, present));
    const compared: { row: StagedRow; outcome: Outcome }[] = [];
    for (const row of rows) {
      const outcome = await this.compareOne(row, model, plan, shape, present);
      if (outcome) compared.push({ row, outcome });
    }
    await this.checkReferences(plan, compared);
    return compared.map(({ outcome }) => outcome);
  }

  /** Of models that are part of the product: a row must be one of its rows, and changes nothing. */
  private compareGiven(row: StagedRow, present: ReadonlyMap<string, RowValues>): Outcome {
    if (row.id === null || !present.has(row.id))
      this.tell(row, 'id', row.id === null ? 'This content comes with the product.' : missing(row.id).join(' '));
    return { position: row.position, action: 'unchanged', changes: {} };
  }

  private async compareOne(
    row: StagedRow,
    model: ModelDescription,
    plan: Plan,
    shape: RegExp,
    present: ReadonlyMap<string, RowValues>,
  ): Promise<Outcome | undefined> {
    const { id, position, given } = row;
    const item = id === null ? undefined : present.get(id);
    const problem = id === null || item ? undefined : await this.newIdProblem(plan.kind, id, shape);
    if (problem !== undefined) this.tell(row, 'id', problem);
    const isShipped = id !== null && item !== undefined && isShippedId(plan.kind, id);
    // What a row with a wrong id leaves out may be there in the item that is meant.
    const unread = problem === undefined ? this.unread.get(position) : missingIn(model, given);
    const { action, changes, errors } = compareRow(this.actor, model, plan, given, item, isShipped, unread);
    for (const { field, details } of errors) this.tell(row, field, details);
    return problem === undefined ? { position, action, changes } : undefined;
  }

  /** Why an id that the organization does not have can't be that of a new item. */
  private async newIdProblem(kind: Kind, id: string, shape: RegExp): Promise<string | undefined> {
    if (!shape.test(id)) return `${JSON.stringify(id.slice(0, 100))} is no id of this kind.`;
    if (isShippedId(kind, id)) return missing(id).join(' ');
    const number = numberOf(id);
    if (number > LARGEST_GIVEN_NUMBER) return `"${id}" is too large a number.`;
    const isFree = this.free.get(kind) ?? (await freeNumbers(this.em, this.actor, kind));
    this.free.set(kind, isFree);
    return isFree(number) ? undefined : `"${id}" was given away before, and an id is never used again.`;
  }

  /** Why answers that a question of components is to get can't have the ids that a row gives them. */
  private async newAnswerProblems({ from, to }: FieldChange): Promise<string[]> {
    const present = new Set(entriesOf(from).map(({ id }) => id));
    const problems: string[] = [];
    for (const { id } of entriesOf(to)) {
      if (typeof id !== 'string' || present.has(id)) continue;
      const problem = this.newAnswers.has(id)
        ? `"${id}" is there twice.`
        : await this.newIdProblem('component_answer', id, idShape('component_answer'));
      this.newAnswers.add(id);
      if (problem !== undefined) problems.push(problem);
    }
    return problems;
  }

  private async checkReferences(
    plan: Plan,
    compared: readonly { readonly row: StagedRow; readonly outcome: Outcome }[],
  ): Promise<void> {
    const referring = compared.map(({ row, outcome }) => ({ row, outcome, named: referredBy(plan, outcome.changes) }));
    await this.items.load(referring.flatMap(({ named }) => named.map(({ referred }) => referred)));
    for (const { row, outcome, named } of referring) {
      const unknown = named.filter(({ referred }) => !this.items.has(referred));
      for (const { field, referred } of unknown) this.tell(row, field, missing(referred.id.slice(0, 100)).join(' '));
      if (outcome.changes.answers)
        for (const details of await this.newAnswerProblems(outcome.changes.answers)) this.tell(row, 'answers', details);
      const asked = outcome.changes.component_questions;
      if (asked && !unknown.length)
        for (const details of questionnaireProblems(asked.to, (answer) => this.items.questionOf(answer)))
          this.tell(row, 'component_questions', details);
    }
  }

  private tell({ file, row }: StagedRow, field: string | null, details: string): void {
    this.refuse({ file, row, field, details });
  }
}
