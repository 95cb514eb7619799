import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { LARGEST_IMPORTED_NUMBER } from '#domain/kernel/item-numbers.js';
import { findFreeNumbers } from '#domain/kernel/id-counter.js';
import { idShape, isCustomId, type Kind, LARGEST_BUILT_IN_NUMBER, numberOf } from '#domain/kernel/item-id.js';
import { findIdentities } from '#domain/kernel/find-identities.js';
import { missingMessages } from '#domain/kernel/domain-errors.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { QueryContext } from '#query/query-context.js';
import type { RowValues } from '#files/cell-value.js';
import type { ModelDescription } from '../../models/content-model.js';
import { describe } from '../../models/models.js';
import { compareRow } from './compare-row.js';
import { LIMITS } from '../formats/limits.js';
import { entriesOf } from '../plans/nested-values.js';
import type { Plan } from '../plans/plan.js';
import { PLANS } from '../plans/plans.js';
import { presentRows } from './present-rows.js';
import type { FieldChange } from '../plans/changes.js';
import type { Compared, NamedRow, RowHead } from './staging.js';

/** Whether an id is one of content that comes with the product. */
export const isBuiltInId = (kind: Kind, id: string): boolean =>
  kind === 'workflow_prompt' ? Number(id) <= LARGEST_BUILT_IN_NUMBER : !isCustomId(id);

/** The columns that a row says nothing of. */
const missingIn = ({ columns }: ModelDescription, given: RowValues): ReadonlySet<string> =>
  new Set(columns.flatMap(({ name }) => (Object.hasOwn(given, name) ? [] : [name])));

/** A row of a file, with what could not be read of it, and whether its wrong id was reported. */
type GivenRow = RowHead & {
  readonly given: RowValues;
  readonly unread?: ReadonlySet<string>;
  readonly misnamed?: boolean;
};

/** What rows would do. Rows whose ids are wrong stand apart: which items they are about is not known. */
interface ComparedRows<Row extends RowHead> {
  readonly named: Compared<Row>[];
  readonly misnamed: Compared<Row>[];
}

/** Holds rows of files against the library, batch by batch. What they refer to is left to `References`. */
export class Difference {
  /** Which numbers the organization has never given away, by kind. */
  private readonly free = new Map<Kind, (number: number) => boolean>();
  /** Ids of new answers of components' questions. */
  private readonly newAnswers = new Set<string>();

  constructor(
    private readonly em: EntityManager,
    private readonly actor: Actor,
    private readonly reading: QueryContext,
    private readonly refuse: (error: JobError) => void,
  ) {}

  /** What the rows of a batch, all of one model, would do. What is wrong goes to `refuse`. */
  async compare<Row extends GivenRow>(rows: readonly Row[]): Promise<ComparedRows<Row>> {
    const compared: ComparedRows<Row> = { named: [], misnamed: [] };
    const name = rows[0]?.model;
    if (name === undefined) return compared;
    const model = describe(name);
    const plan = PLANS[name];
    const shape = plan ? idShape(plan.kind) : new RegExp(`^.{1,${LIMITS.id}}$`, 's');
    const ids = rows.flatMap(({ id }) => (id !== null && shape.test(id) ? [id] : []));
    const present = await inTransaction(this.em, this.actor, (em) => presentRows(em, model, ids, this.reading));
    for (const row of rows)
      if (plan) await this.compareOne(row, model, plan, shape, present, compared);
      else compared[row.misnamed ? 'misnamed' : 'named'].push(this.compareGiven(row, present));
    return compared;
  }

  /**
   * Looks once more at rows, all of one model, that were to make items: answers those whose items are there by now.
   * What else keeps them from it goes to `refuse`.
   */
  async findMade(rows: readonly NamedRow[]): Promise<NamedRow[]> {
    const plan = rows[0] && PLANS[rows[0].model];
    if (!plan) return [];
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    const present = await findIdentities(this.em, this.actor, plan.kind, ids);
    for (const row of rows) {
      const { id, entries } = row;
      if (id !== null && !present.has(id)) {
        const problem = await this.newIdProblem(plan.kind, id, idShape(plan.kind));
        if (problem !== undefined) this.refuseField(row, 'id', problem);
      }
      if (plan.kind === 'component_question' && entries !== undefined)
        await this.checkNewAnswers(row, { from: null, to: entries });
    }
    return rows.filter(({ id }) => id !== null && present.has(id));
  }

  /** Of models that are part of the product: a row must be one of its rows, and changes nothing. */
  private compareGiven<Row extends GivenRow>(row: Row, present: ReadonlyMap<string, RowValues>): Compared<Row> {
    if (!row.misnamed && (row.id === null || !present.has(row.id)))
      this.refuseField(
        row,
        'id',
        row.id === null ? 'This content comes with the product.' : missingMessages(row.id).join(' '),
      );
    return { row, action: 'unchanged', changes: {} };
  }

  private async compareOne<Row extends GivenRow>(
    row: Row,
    model: ModelDescription,
    plan: Plan,
    shape: RegExp,
    present: ReadonlyMap<string, RowValues>,
    compared: ComparedRows<Row>,
  ): Promise<void> {
    const { id, given } = row;
    const item = id === null ? undefined : present.get(id);
    const problem = row.misnamed || id === null || item ? undefined : await this.newIdProblem(plan.kind, id, shape);
    if (problem !== undefined) this.refuseField(row, 'id', problem);
    const misnamed = row.misnamed || problem !== undefined;
    const isBuiltIn = id !== null && item !== undefined && isBuiltInId(plan.kind, id);
    // What a row with a wrong id leaves out may be there in the item that is meant.
    const unread = misnamed && !item ? missingIn(model, given) : row.unread;
    const { action, changes, errors } = compareRow(this.actor, model, plan, given, item, isBuiltIn, unread);
    for (const { field, details } of errors) this.refuseField(row, field, details);
    if (changes.answers && !misnamed) await this.checkNewAnswers(row, changes.answers);
    compared[misnamed ? 'misnamed' : 'named'].push({ row, action, changes });
  }

  /** Why an id that the organization does not have can't be that of a new item. */
  private async newIdProblem(kind: Kind, id: string, shape: RegExp): Promise<string | undefined> {
    if (!shape.test(id)) return `${JSON.stringify(id.slice(0, 100))} is not an id of this kind.`;
    if (isBuiltInId(kind, id)) return missingMessages(id).join(' ');
    const number = numberOf(id);
    if (number > LARGEST_IMPORTED_NUMBER) return `"${id}" is too large a number.`;
    const isFree = this.free.get(kind) ?? (await findFreeNumbers(this.em, this.actor, kind));
    this.free.set(kind, isFree);
    return isFree(number) ? undefined : `"${id}" was given away before, and an id is never used again.`;
  }

  /** Reports answers that a question of components is to get and that can't have the ids that its row gives them. */
  private async checkNewAnswers(row: RowHead, { from, to }: FieldChange): Promise<void> {
    const present = new Set(entriesOf(from).map(({ id }) => id));
    for (const { id } of entriesOf(to)) {
      if (typeof id !== 'string' || present.has(id)) continue;
      const problem = this.newAnswers.has(id)
        ? `"${id}" is there twice.`
        : await this.newIdProblem('component_answer', id, idShape('component_answer'));
      if (problem === undefined) this.newAnswers.add(id);
      else this.refuseField(row, 'answers', problem);
    }
  }

  private refuseField({ file, row }: RowHead, field: string | null, details: string): void {
    this.refuse({ file, row, field, details });
  }
}
