import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { createReport, removeReport, updateReport } from '#domain/reports/report/report.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { reportTemplates } from '#reporting/templates.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeQuery, CreateQuery, TakeTemplate } from './queries.dto.js';

@Injectable()
export class QueriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, input: CreateQuery, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createReport(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeQuery, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateReport(em, actor, id, changes);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeReport(em, actor, id));
  }

  createFromTemplate(actor: Actor, { template, title }: TakeTemplate, readRequest: ReadRequest): Promise<JsonText> {
    const found = reportTemplates().find(({ id }) => id === template);
    if (!found) throw new NotFound();
    const { id: _id, ...report } = found;
    return this.create(actor, { ...report, ...(title !== undefined && { title }) }, readRequest);
  }
}
