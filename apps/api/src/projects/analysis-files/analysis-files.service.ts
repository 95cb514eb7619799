import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { readReport } from '#content/analysis/read-report.js';
import { UnreadableReport } from '#content/analysis/report-limits.js';
import type { Actor } from '#domain/kernel/actor.js';
import { converted } from '#domain/kernel/fields/conversions.js';
import { errorsOfFields, type InputOf } from '#domain/kernel/fields/field.js';
import { line } from '#domain/kernel/fields/fields.js';
import { NUMERIC_ID } from '#domain/kernel/item-id.js';
import {
  applyAnalysisReport,
  type ReportCoverage,
  type VerifiedCountermeasure,
} from '#domain/projects/project-countermeasure/analysis-report.commands.js';
import { Invalid, missingMessages } from '#domain/kernel/domain-errors.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { UploadedForm } from '../../http/files/upload.js';

const FILE = 'report_file';
const MAX_SYSTEM_LENGTH = 200;
const MAX_SOURCE_LENGTH = 200;

const formFields = {
  project: line({ validate: (id) => (NUMERIC_ID.test(id) ? undefined : missingMessages(id).join(' ')) }),
  system: line({ maximum: MAX_SYSTEM_LENGTH }),
};

/** An accepted report and its result. */
interface AppliedReport extends Pick<ReportCoverage, 'results' | 'rules'> {
  readonly id: string;
  readonly project: number;
  readonly system: string;
  readonly status: 'success';
  readonly tasks: readonly { readonly id: string; readonly verification_status: VerifiedCountermeasure['status'] }[];
  readonly unmatched_rules: readonly string[];
  readonly warnings: readonly string[];
}

@Injectable()
export class AnalysisFilesService {
  constructor(private readonly em: EntityManager) {}

  async apply(actor: Actor, form: UploadedForm): Promise<AppliedReport> {
    const { stored, fileName, fields } = await form
      .receive(['project', 'system'], readReport, FILE)
      .catch((error: unknown) => {
        throw error instanceof UnreadableReport ? new Invalid({ [FILE]: [error.message] }) : error;
      });
    const { project, system } = inputOf(fields);
    const session = `${system}-${randomUUID()}`;
    const source = Array.from(fileName.replaceAll('\0', '').toWellFormed()).slice(-MAX_SOURCE_LENGTH).join('');
    const { outcomes, warnings } = stored;
    const { verified, results, rules, unmatchedRules } = await inTransaction(this.em, actor, (em) =>
      applyAnalysisReport(em, actor, project, { system, source, session, outcomes }),
    );
    return {
      id: session,
      project: Number(project),
      system,
      status: 'success',
      tasks: verified.map(({ id, status }) => ({ id, verification_status: status })),
      results,
      rules,
      unmatched_rules: unmatchedRules,
      warnings,
    };
  }
}

/** The validated fields of the form besides the file. Throws `Invalid`. */
function inputOf(form: ReadonlyMap<string, string>): InputOf<typeof formFields> {
  const input = Object.fromEntries(
    Object.entries(formFields).map(([name, field]) => [name, converted(field, form.get(name))]),
  );
  const errors = errorsOfFields(formFields, input);
  if (Object.keys(errors).length) throw new Invalid(errors);
  return input as InputOf<typeof formFields>;
}
