import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { createReport, removeReport, updateReport } from '#domain/reports/report/report.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { reportTemplates } from '#reporting/templates.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeQuery, CreateQuery, TakeTemplate } from './queries.dto.js';

@Injectable()
export class QueriesService extends ResourceService {
  create(actor: Actor, input: CreateQuery, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createReport(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeQuery, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateReport(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeReport(em, actor, id));
  }

  createFromTemplate(actor: Actor, { template, title }: TakeTemplate, readRequest: ReadRequest): Promise<JsonText> {
    const builtInReport = reportTemplates().find(({ id }) => id === template);
    if (!builtInReport) throw new NotFound();
    const { id: _id, ...report } = builtInReport;
    return this.create(actor, { ...report, ...(title !== undefined && { title }) }, readRequest);
  }
}
