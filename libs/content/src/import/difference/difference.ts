import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { MAX_IMPORTED_NUMBER } from '#domain/kernel/items/item-numbers.js';
import { findFreeNumbers } from '#domain/kernel/items/id-counter.js';
import { idShape, isBuiltInId, type Kind, numberOf } from '#domain/kernel/item-id.js';
import { findIdentities } from '#domain/kernel/items/find-identities.js';
import { missingMessages } from '#domain/kernel/domain-errors.js';
import { repeatedId, usedId } from '#domain/kernel/fields/field-checks.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { QueryContext } from '#query/query-context.js';
import { notAnId } from '#query/values.js';
import type { RowValues } from '#files/cell-value.js';
import type { ModelDescription } from '../../models/content-model.js';
import { describe } from '../../models/models.js';
import { compareRow } from './compare-row.js';
import { LIMITS } from '../formats/limits.js';
import { entriesOf } from '../plans/nested-values.js';
import type { Plan } from '../plans/plan.js';
import { PLANS } from '../plans/plans.js';
import { currentRows } from './current-rows.js';
import type { FieldChange } from '../plans/changes.js';
import type { Compared, NamedRow, RowHead } from './staging.js';

/** The columns that a row does not contain. */
const missingIn = ({ columns }: ModelDescription, rowValues: RowValues): ReadonlySet<string> =>
  new Set(columns.flatMap(({ name }) => (Object.hasOwn(rowValues, name) ? [] : [name])));

/** A row of a file, with the fields that could not be parsed, and whether its invalid id has been reported. */
type ParsedRow = RowHead & {
  readonly given: RowValues;
  readonly unread?: ReadonlySet<string>;
  readonly misnamed?: boolean;
};

/** What rows would do. Rows with invalid ids are separate, because it is unknown which items they mean. */
interface ComparedRows<Row extends RowHead> {
  readonly named: Compared<Row>[];
  readonly misnamed: Compared<Row>[];
}

/** Compares rows of files with the library in batches. `References` checks what they refer to. */
export class Difference {
  /** Whether a number was never used by the organization, by kind. */
  private readonly free = new Map<Kind, (number: number) => boolean>();
  /** Ids of new answers of component questions. */
  private readonly newAnswers = new Set<string>();

  constructor(
    private readonly em: EntityManager,
    private readonly actor: Actor,
    private readonly context: QueryContext,
    private readonly report: (error: JobError) => void,
  ) {}

  /** Determines what the rows of a batch, all of one model, would do. Reports errors to `report`. */
  async compare<Row extends ParsedRow>(rows: readonly Row[]): Promise<ComparedRows<Row>> {
    const compared: ComparedRows<Row> = { named: [], misnamed: [] };
    const name = rows[0]?.model;
    if (name === undefined) return compared;
    const model = describe(name);
    const plan = PLANS[name];
    const shape = plan ? idShape(plan.kind) : new RegExp(`^.{1,${LIMITS.id}}$`, 's');
    const ids = rows.flatMap(({ id }) => (id !== null && shape.test(id) ? [id] : []));
    const present = await inTransaction(this.em, this.actor, (em) => currentRows(em, model, ids, this.context));
    for (const row of rows)
      if (plan) await this.compareOne(row, model, plan, shape, present, compared);
      else compared[row.misnamed ? 'misnamed' : 'named'].push(this.compareReadOnly(row, present));
    return compared;
  }

  /**
   * Checks rows of one model that were to create items again. Returns those whose items have been created in the
   * meantime, and reports other obstacles to `report`.
   */
  async findCreatedMeanwhile(rows: readonly NamedRow[]): Promise<NamedRow[]> {
    const plan = rows[0] && PLANS[rows[0].model];
    if (!plan) return [];
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
    const present = await inTransaction(this.em, this.actor, (em) => findIdentities(em, this.actor, plan.kind, ids));
    for (const row of rows) {
      const { id, entries } = row;
      if (id !== null && !present.has(id)) {
        const error = await this.newIdError(plan.kind, id, idShape(plan.kind));
        if (error !== undefined) this.reportField(row, 'id', error);
      }
      if (plan.kind === 'component_question' && entries !== undefined)
        await this.checkNewAnswers(row, { from: null, to: entries });
    }
    return rows.filter(({ id }) => id !== null && present.has(id));
  }

  /** For models that an import can't change: a row must be identical to an existing one. */
  private compareReadOnly<Row extends ParsedRow>(row: Row, present: ReadonlyMap<string, RowValues>): Compared<Row> {
    if (!row.misnamed && (row.id === null || !present.has(row.id)))
      this.reportField(
        row,
        'id',
        row.id === null ? 'All items of this model are built in.' : missingMessages(row.id).join(' '),
      );
    return { row, action: 'unchanged', changes: {} };
  }

  private async compareOne<Row extends ParsedRow>(
    row: Row,
    model: ModelDescription,
    plan: Plan,
    shape: RegExp,
    present: ReadonlyMap<string, RowValues>,
    compared: ComparedRows<Row>,
  ): Promise<void> {
    const { id, given } = row;
    const item = id === null ? undefined : present.get(id);
    const error = row.misnamed || id === null || item ? undefined : await this.newIdError(plan.kind, id, shape);
    if (error !== undefined) this.reportField(row, 'id', error);
    const misnamed = row.misnamed || error !== undefined;
    const isBuiltIn = id !== null && item !== undefined && isBuiltInId(plan.kind, id);
    // The item that a row with an invalid id means may have the fields that the row lacks.
    const unread = misnamed && !item ? missingIn(model, given) : row.unread;
    const { action, changes, errors } = compareRow(this.actor, model, plan, given, item, isBuiltIn, unread);
    for (const { field, details } of errors) this.reportField(row, field, details);
    if (changes.answers && !misnamed) await this.checkNewAnswers(row, changes.answers);
    // A row with errors is never applied, and its values may be ones that the database can't store.
    const staged = errors.length ? { ...row, given: {} } : row;
    compared[misnamed ? 'misnamed' : 'named'].push({ row: staged, action, changes });
  }

  /** Why an unknown id can't be that of a new item, if so. */
  private async newIdError(kind: Kind, id: string, shape: RegExp): Promise<string | undefined> {
    if (!shape.test(id)) return notAnId(id);
    if (isBuiltInId(kind, id)) return missingMessages(id).join(' ');
    const number = numberOf(id);
    if (number > MAX_IMPORTED_NUMBER) return `The number of "${id}" is too large.`;
    const isFree =
      this.free.get(kind) ?? (await inTransaction(this.em, this.actor, (em) => findFreeNumbers(em, this.actor, kind)));
    this.free.set(kind, isFree);
    return isFree(number) ? undefined : usedId(id);
  }

  /** Reports new answers of a component question whose ids are invalid or taken. */
  private async checkNewAnswers(row: RowHead, { from, to }: FieldChange): Promise<void> {
    const present = new Set(entriesOf(from).map(({ id }) => id));
    for (const { id } of entriesOf(to)) {
      if (typeof id !== 'string' || present.has(id)) continue;
      const error = this.newAnswers.has(id)
        ? repeatedId(id)
        : await this.newIdError('component_answer', id, idShape('component_answer'));
      if (error === undefined) this.newAnswers.add(id);
      else this.reportField(row, 'answers', error);
    }
  }

  private reportField({ file, row }: RowHead, field: string | null, details: string): void {
    this.report({ file, row, field, details });
  }
}
