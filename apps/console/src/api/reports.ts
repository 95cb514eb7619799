import { queryOptions } from '@tanstack/react-query';
import { basePath, bodyOf, client } from './client.ts';
import type { paths } from './openapi.d.ts';

const sendSaved = (signal?: AbortSignal) =>
  bodyOf(client.GET('/api/v2/queries/', { params: { query: { ordering: ['title'] } }, signal }));

const sendStarters = (signal?: AbortSignal) => bodyOf(client.GET('/api/v2/queries/templates/', { signal }));

type Listed =
  | Awaited<ReturnType<typeof sendSaved>>['results'][number]
  | Awaited<ReturnType<typeof sendStarters>>['results'][number];

/** A saved report, with its number as id, or a starter report, with its name. */
export type Report = Pick<Listed, 'title' | 'description' | 'chart' | 'query'> & { readonly id: string };

/** Whether an id is the one of a saved report. */
export const isSaved = (id: string): boolean => /^\d+$/.test(id);

const reportOf = ({ id, title, description, chart, query }: Listed): Report => ({
  id: String(id),
  title,
  description,
  chart,
  query,
});

export const savedReportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: async ({ signal }) => (await sendSaved(signal)).results.map(reportOf),
});

export const starterReportsQuery = queryOptions({
  queryKey: ['starter-reports'],
  queryFn: async ({ signal }) => (await sendStarters(signal)).results.map(reportOf),
  staleTime: Infinity,
});

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', id],
    queryFn: async ({ signal }) => {
      if (isSaved(id))
        return reportOf(
          await bodyOf(client.GET('/api/v2/queries/{id}/', { params: { path: { id: Number(id) } }, signal })),
        );
      return (await sendStarters(signal)).results.map(reportOf).find((report) => report.id === id) ?? null;
    },
  });

type Template = NonNullable<
  NonNullable<paths['/api/v2/queries/templates/run/']['get']['parameters']['query']>['template']
>;

const sendRun = (id: string, signal: AbortSignal) =>
  isSaved(id)
    ? bodyOf(client.GET('/api/v2/queries/{id}/run/', { params: { path: { id: Number(id) } }, signal }))
    : bodyOf(client.GET('/api/v2/queries/templates/run/', { params: { query: { template: id as Template } }, signal }));

/** A column of the rows of a report. */
export interface ReportColumn {
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly isPercent: boolean;
  readonly isTime: boolean;
}

/** "Application" instead of "Application Name", and "Countermeasure priority". */
const dimensionTitle = (title: string, shortTitle: string): string => {
  const thing = title.slice(0, -shortTitle.length).trim();
  if (shortTitle === 'Name' || shortTitle === 'Title') return thing;
  return `${thing} ${shortTitle.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`.trim();
};

/** The rows of a report. Of one that compares ranges, those of the first range, as in its chart. */
export const reportRowsQuery = (id: string) =>
  queryOptions({
    queryKey: ['report-rows', id],
    queryFn: async ({ signal }) => {
      const body = await sendRun(id, signal);
      if (typeof body === 'string') throw new TypeError('The rows of a report are JSON.');
      const result = 'results' in body ? body.results[0] : body;
      const { dimensions = {}, timeDimensions = {}, measures = {} } = result?.annotation ?? {};
      const rows = (result?.data ?? []) as readonly Readonly<Record<string, string | boolean | null>>[];
      const columns = Object.entries({ ...dimensions, ...timeDimensions, ...measures })
        .filter(([name]) => rows[0] && name in rows[0])
        .map(([name, { title, shortTitle, type, format }]): ReportColumn => ({
          name,
          title: name in measures ? shortTitle : dimensionTitle(title, shortTitle),
          isNumber: type === 'number',
          isPercent: format === 'percent',
          isTime: type === 'time',
        }));
      return { rows, columns, isTruncated: result?.truncated ?? false };
    },
  });

const pathOf = (id: string, part: 'run' | 'chart', parameters: Readonly<Record<string, string>>): string =>
  isSaved(id)
    ? `${basePath}api/v2/queries/${id}/${part}/?${new URLSearchParams(parameters)}`
    : `${basePath}api/v2/queries/templates/${part}/?${new URLSearchParams({ template: id, ...parameters })}`;

/** The address of a chart. As an image, it can neither run scripts nor load anything. */
export const chartAddress = (
  id: string,
  picture: {
    readonly theme: 'light' | 'dark';
    readonly size: 'large' | 'medium' | 'small';
    readonly format?: 'svg' | 'png';
  },
): string => pathOf(id, 'chart', picture);

export const fileAddress = (id: string, format: 'csv' | 'xlsx'): string => pathOf(id, 'run', { format });

export const saveStarterReport = (template: string) =>
  bodyOf(client.POST('/api/v2/queries/from-template/', { body: { template: template as Template } }));

export const removeReport = (id: string) =>
  bodyOf(client.DELETE('/api/v2/queries/{id}/', { params: { path: { id: Number(id) } } }));
