import { missingMessages } from '#domain/kernel/domain-errors.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import type { Referred } from '../plans/field-plan.js';
import type { Items } from './items.js';
import type { Plan } from '../plans/plan.js';
import { PLANS } from '../plans/plans.js';
import { questionnaireProblems } from '../plans/questionnaires.js';
import type { Changes } from '../plans/changes.js';
import type { Compared, RowHead } from './staging.js';

/** That a row refers to something that is not there. */
interface Missing {
  readonly row: RowHead;
  readonly error: JobError;
}

/** The ids that a row's changes refer to, with the fields that do. */
const referredBy = (plan: Plan, changes: Changes): { field: string; referred: Referred }[] =>
  Object.entries(changes).flatMap(([field, { from, to }]) =>
    (plan.fields?.[field]?.refersTo?.(to, from) ?? []).map((referred) => ({ field, referred })),
  );

/** Looks for what the changes of rows refer to. */
export class References {
  /**
   * @param items what is looked for in the library, and what the files are known to bring
   * @param refuse called with what is wrong besides what is missing
   */
  constructor(
    private readonly items: Items,
    private readonly refuse: (error: JobError) => void,
  ) {}

  /** Loads what the rows of a batch, all of one model, refer to; answers what of it is not there. */
  async findMissing(compared: readonly Compared[]): Promise<Missing[]> {
    const plan = compared[0] && PLANS[compared[0].row.model];
    if (!plan) return [];
    const referring = compared.map(({ row, changes }) => ({ row, changes, named: referredBy(plan, changes) }));
    await this.items.load(referring.flatMap(({ named }) => named.map(({ referred }) => referred)));
    return referring.flatMap(({ row, changes, named }) => {
      const unknown = named.filter(({ referred }) => !this.items.has(referred));
      const questionnaire = changes.component_questions;
      if (questionnaire && !unknown.length)
        for (const details of questionnaireProblems(questionnaire.to, (answer) => this.items.questionOf(answer)))
          this.refuse(errorAt(row, 'component_questions', details));
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
