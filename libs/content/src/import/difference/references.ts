import { missingMessages } from '#domain/kernel/domain-errors.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { Referred } from '../plans/field-plan.js';
import type { Items } from './items.js';
import type { Plan } from '../plans/plan.js';
import { PLANS } from '../plans/plans.js';
import { questionnaireMessages } from '../plans/nested-values.js';
import type { Changes } from '../plans/changes.js';
import type { Compared, RowHead } from './staging.js';

/** A reference to something that does not exist. */
interface Missing {
  readonly row: RowHead;
  readonly error: JobError;
}

/** The references in a row's changes, with their fields. */
const referredBy = (plan: Plan, changes: Changes): { field: string; referred: Referred }[] =>
  Object.entries(changes).flatMap(([field, { from, to }]) =>
    (plan.fields?.[field]?.refersTo?.(to, from) ?? []).map((referred) => ({ field, referred })),
  );

/** Checks the references in the changes of rows. */
export class References {
  /**
   * @param items looks up ids in the library and in the files
   * @param report called with all errors except missing references
   */
  constructor(
    private readonly items: Items,
    private readonly report: (error: JobError) => void,
  ) {}

  /** Loads the items that a batch of rows of one model refers to, and returns the missing ones. */
  async findMissing(compared: readonly Compared[]): Promise<Missing[]> {
    const plan = compared[0] && PLANS[compared[0].row.model];
    if (!plan) return [];
    const referring = compared.map(({ row, changes }) => ({ row, changes, named: referredBy(plan, changes) }));
    await this.items.load(referring.flatMap(({ named }) => named.map(({ referred }) => referred)));
    return referring.flatMap(({ row, changes, named }) => {
      const unknown = named.filter(({ referred }) => !this.items.has(referred));
      const questionnaire = changes.component_questions;
      if (questionnaire && !unknown.length)
        for (const details of questionnaireMessages(questionnaire.to, (answer) => this.items.questionOf(answer)))
          this.report(errorAt(row, 'component_questions', details));
      return unknown.map(({ field, referred }) => ({
        row,
        error: errorAt(row, field, missingMessages(referred.id.slice(0, 100)).join(' ')),
      }));
    });
  }
}

const errorAt = ({ file, row }: RowHead, field: string, details: string): JobError => ({
  file,
  row,
  field,
  details,
});
