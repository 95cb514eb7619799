import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { readProjectReport } from '#domain/projects/project-report/project-report.js';
import { JsonText, Rendered } from '../../http/listing/responses.js';
import { PAGE_POLICY } from '../../http/pages.js';
import { htmlReport } from './html-report.js';
import { markdownReport } from './markdown-report.js';

export const REPORT_TYPES = { json: 'application/json', html: 'text/html', markdown: 'text/markdown' } as const;

async function* singleChunk(content: string): AsyncGenerator<string, void, undefined> {
  yield content;
}

const rendered = (type: string, text: string): Rendered =>
  new Rendered(`${type}; charset=utf-8`, singleChunk(text), Buffer.byteLength(text), { policy: PAGE_POLICY });

@Injectable()
export class ProjectReportService {
  constructor(private readonly em: EntityManager) {}

  /** A project as a document. Throws `NotFound`. */
  async show(actor: Actor, project: string, type: string | false): Promise<JsonText | Rendered> {
    const report = await readProjectReport(forkInTransaction(this.em), actor, project);
    if (type === REPORT_TYPES.html) return rendered(type, htmlReport(report));
    if (type === REPORT_TYPES.markdown) return rendered(type, markdownReport(report));
    return new JsonText(JSON.stringify(report));
  }
}
