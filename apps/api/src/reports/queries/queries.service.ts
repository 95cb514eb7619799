import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { createReport, removeReport, updateReport } from '#domain/reports/report/report.commands.js';
import { reportProjection } from '#domain/reports/report/report.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { reportTemplates } from '#reporting/templates.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeQuery, CreateQuery, TakeTemplate } from './queries.dto.js';

@Injectable()
export class QueriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(reportProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(reportProjection, actor, id, asked);
  }

  create(actor: Actor, input: CreateQuery, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createReport(em, actor, input);
      return this.reads.item(reportProjection, actor, id, asked, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeQuery, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateReport(em, actor, id, changes);
      return this.reads.item(reportProjection, actor, id, asked, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeReport(em, actor, id));
  }

  createFromTemplate(actor: Actor, { template, title }: TakeTemplate, asked: Asked): Promise<JsonText> {
    const found = reportTemplates().find(({ id }) => id === template);
    if (!found) throw new NotFound();
    const { id: _id, ...report } = found;
    return this.create(actor, { ...report, ...(title !== undefined && { title }) }, asked);
  }
}
