import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { FORMATS } from '#files/formats.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Invalid, NotFound } from '#domain/kernel/domain-errors.js';
import { findReport, type SavedReport } from '#domain/reports/report/report.commands.js';
import { slugOf } from '#domain/kernel/fields/slug.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { loadResponse } from '#reporting/responses.js';
import type { SizeName, ThemeName } from '#reporting/chart/theme.js';
import { reportTemplates } from '#reporting/templates.js';
import { bytesOf, EngineUnavailable, QueryFailed, type CompletedQuery } from '#reporting/engine.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import type { CheckedQuery } from '#reporting/query.js';
import { sheetOf, sheetRows } from '#reporting/sheet.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { JsonText, Rendered } from '../../http/listing/responses.js';
import { Reports } from '../reports.js';

/** Media types of the formats of a report besides JSON. */
export const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export const PICTURE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** How a chart is drawn. */
interface Picture {
  readonly format: string;
  readonly theme: ThemeName;
  readonly size: SizeName;
}

interface Executed {
  readonly report: SavedReport;
  readonly checked: CheckedQuery;
  readonly completed: readonly CompletedQuery[];
}

/** Maximum length of a file name: in any script, its bytes fit the limit of every file system. */
const NAME_LENGTH = 60;

const fileName = ({ title }: SavedReport, id: string, extension: string): string =>
  `${Array.from(slugOf(title, `report-${id}`))
    .slice(0, NAME_LENGTH)
    .join('')}.${extension}`;

async function* singleChunk(content: string | Uint8Array): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield content;
}

/** A report as JSON or as a file. */
function inFormat({ report, checked, completed }: Executed, id: string, format: string): JsonText | Rendered {
  if (format !== 'csv' && format !== 'xlsx') return new JsonText(JSON.stringify(loadResponse(checked, completed)));
  const sheet = sheetOf(checked, completed, report.chart_meta.columnOrder);
  const pieces = FORMATS[format].writer.write(sheet, sheetRows(sheet, checked, completed));
  const type = `${FILE_TYPES[format]}; charset=utf-8`;
  return new Rendered(type, pieces, bytesOf(completed), { name: fileName(report, id, format) });
}

/** The first result of a report as a picture. */
async function asChart({ report, completed }: Executed, { format, theme, size }: Picture): Promise<Rendered> {
  const [first] = completed;
  if (!first) throw new Error('A report returned no result.');
  const { rows, truncated } = first.result;
  const { columnOrder } = report.chart_meta;
  const input = { title: report.title, query: first.query, rows, truncated, ...(columnOrder && { columnOrder }) };
  // Loading takes a second and 60 MB, so it only happens when a chart is drawn.
  const [{ drawChart }, { pngOf }] = await Promise.all([
    import('#reporting/chart/draw-chart.js'),
    import('#reporting/chart/png.js'),
  ]);
  const svg = drawChart(report.chart, input, theme, size);
  const picture = format === 'png' ? await pngOf(svg) : svg;
  const type = format === 'png' ? PICTURE_TYPES.png : `${PICTURE_TYPES.svg}; charset=utf-8`;
  return new Rendered(type, singleChunk(picture), picture.length);
}

/** A starter report, as if it were saved. */
function templateAsReport(id: string): SavedReport {
  const template = reportTemplates().find((one) => one.id === id);
  if (!template) throw new NotFound();
  return { ...template, chart_meta: {} };
}

/** Runs saved and starter reports, and returns rows, files and pictures. */
@Injectable()
export class QueryRunsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reports: Reports,
  ) {}

  async run(actor: Actor, id: string, format: string): Promise<JsonText | Rendered> {
    return this.execute(actor, await this.find(actor, id), (executed) => inFormat(executed, id, format));
  }

  async chart(actor: Actor, id: string, picture: Picture): Promise<Rendered> {
    return this.execute(actor, await this.find(actor, id), (executed) => asChart(executed, picture));
  }

  async runTemplate(actor: Actor, id: string, format: string): Promise<JsonText | Rendered> {
    return this.execute(actor, templateAsReport(id), (executed) => inFormat(executed, id, format));
  }

  async templateChart(actor: Actor, id: string, picture: Picture): Promise<Rendered> {
    return this.execute(actor, templateAsReport(id), (executed) => asChart(executed, picture));
  }

  private find(actor: Actor, id: string): Promise<SavedReport> {
    return findReport(forkInTransaction(this.em), actor, id);
  }

  private async execute<Result>(
    actor: Actor,
    report: SavedReport,
    present: (executed: Executed) => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      const checked = this.reports.check(actor, report.query);
      return await this.reports.run(actor, checked, (completed) => present({ report, checked, completed }));
    } catch (error) {
      // A saved report may use members that a later release no longer has.
      if (error instanceof InvalidQuery) throw new Invalid({ query: { ...error.errors } });
      if (error instanceof QueryFailed) throw new ErrorResponse(400, error.message);
      if (error instanceof EngineUnavailable) throw new ErrorResponse(503, error.message);
      throw error;
    }
  }
}
