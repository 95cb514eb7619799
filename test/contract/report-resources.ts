import { bodyOf } from '../support/client.js';
import { unique } from '../support/factories.js';
import { queryBody } from '../support/reports.js';
import { choice, integer, text, time } from './filters.js';
import { byTime, ODD_TITLES } from './resources.js';
import { byField, byText, type Resource } from './table.js';

const CHARTS = ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'];

const queries: Resource = {
  name: 'queries',
  path: '/queries/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'edit_custom_reports',
  fields: {
    id: 'integer',
    title: 'string',
    description: 'string',
    created: 'time',
    modified: 'time',
    created_by: 'integer',
    query: 'json',
    chart: { oneOf: CHARTS },
    chart_meta: 'json',
    type: { oneOf: ['D', 'T'] },
  },
  filters: {
    id: integer('id'),
    title: text('title'),
    chart: choice('chart', CHARTS),
    type: choice('type', ['D', 'T']),
    created: time('created'),
    modified: time('modified'),
    created_by: integer('created_by'),
  },
  orderings: {
    id: byField('id'),
    title: byText('title'),
    description: byText('description'),
    desciption: byText('description'),
    created: byTime('created'),
    modified: byTime('modified'),
  },
  defaultOrdering: 'id',
  search: ({ title, creator }) => [String(title), ...(creator as string[])],
  derive: async (test) => {
    const people = await test.database.query<{ id: string; first_name: string; last_name: string }>(
      'SELECT id, first_name, last_name FROM user_account',
    );
    const names = new Map(people.map((one) => [Number(one.id), [one.first_name, one.last_name]]));
    return (row) => ({ ...row, creator: names.get(Number(row['created_by'])) ?? [] });
  },
  seed: async (test, { api }) => {
    const others = await Promise.all(
      ['Zoe', '100%_ÄÖ'].map((firstName) => test.newUser({ role: 'UR4', firstName, lastName: 'back\\slash' })),
    );
    const callers = [api, ...others.map((other) => other.api)];
    for (const [index, title] of ODD_TITLES.entries())
      await bodyOf(
        (callers[index % 3] ?? api).post(
          '/queries/',
          queryBody({
            title: unique(title),
            description: ODD_TITLES.at(-index),
            chart: CHARTS[index % CHARTS.length],
            ...(index % 2 && {
              type: 'T',
              query: {
                schema: 'trend_task',
                measures: ['TrendTask.count'],
                timeDimensions: [{ dimension: 'TrendTask.date' }],
              },
            }),
          }),
        ),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve(queryBody({ title: unique('Report') })) },
};

/** Saved reports. */
export const REPORTS: readonly Resource[] = [queries];
