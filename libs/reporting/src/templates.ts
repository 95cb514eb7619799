import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Chart } from './chart/charts.js';

/** A report template: organizations can save a copy of it as a report. */
export interface ReportTemplate {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly chart: Chart;
  readonly type: 'D' | 'T';
  readonly query: Readonly<Record<string, unknown>>;
}

const FILE = fileURLToPath(new URL('../templates/templates.yml', import.meta.url));

let builtIn: readonly ReportTemplate[] | undefined;

const read = (): ReportTemplate[] =>
  (parse(readFileSync(FILE, 'utf8')) as (Omit<ReportTemplate, 'type'> & Partial<Pick<ReportTemplate, 'type'>>)[]).map(
    ({ id, title, description, chart, type = 'D', query }) => ({ id, title, description, chart, type, query }),
  );

/** The bundled report templates, in the order of their file. */
export const reportTemplates = (): readonly ReportTemplate[] => (builtIn ??= read());
