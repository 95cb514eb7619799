import { REQUIRED } from '#domain/kernel/fields/field-checks.js';
import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { readReport } from '#content/analysis/read-report.js';
import { UnreadableReport } from '#content/analysis/report-limits.js';
import type { Actor } from '#domain/kernel/actor.js';
import { NUMERIC_ID } from '#domain/kernel/item-id.js';
import {
  applyAnalysisReport,
  type ReportCoverage,
  type VerifiedCountermeasure,
} from '#domain/projects/project-countermeasure/analysis-report.commands.js';
import { type FieldErrors, Invalid, missingMessages } from '#domain/kernel/domain-errors.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { UploadedForm } from '../../http/files/upload.js';

const FILE = 'report_file';
const MAX_SYSTEM_LENGTH = 200;
const MAX_SOURCE_LENGTH = 200;

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
function inputOf(fields: ReadonlyMap<string, string>): { project: string; system: string } {
  const project = fields.get('project')?.trim() ?? '';
  const system = fields.get('system')?.trim() ?? '';
  const errors: FieldErrors = {};
  if (project === '') errors['project'] = [REQUIRED];
  else if (!NUMERIC_ID.test(project)) errors['project'] = missingMessages(project);
  if (system === '') errors['system'] = [REQUIRED];
  else if (system.includes('\0')) errors['system'] = ['Null characters are not allowed.'];
  else if (Array.from(system).length > MAX_SYSTEM_LENGTH)
    errors['system'] = [`Ensure this field has no more than ${MAX_SYSTEM_LENGTH} characters.`];
  if (Object.keys(errors).length) throw new Invalid(errors);
  return { project, system };
}
