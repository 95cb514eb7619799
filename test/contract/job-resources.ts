import { makeExport } from '../support/exports.js';
import { importRows } from '../support/imports.js';
import { choice, integer, text, time } from './filters.js';
import { byPerson, byTime, userId } from './resources.js';
import { byField, type Resource } from './table.js';

const STATUSES = ['pending', 'in_progress', 'success', 'fail', 'cancel'];
const CONTENT_MODELS = [
  'amendment',
  'answer',
  'attribute',
  'component',
  'component_question',
  'glossary_term',
  'implementation',
  'phase',
  'profile',
  'question',
  'regulation',
  'regulation_section',
  'rule_mapping',
  'section',
  'standard',
  'subquestion',
  'subsection',
  'threat',
  'threat_framework',
  'training_module',
  'weakness',
  'workflow_prompt',
];
const TYPES = ['template', 'content'];
const FORMATS = ['csv', 'json', 'yaml', 'xlsx'];

const exportJobs: Resource = {
  name: 'export jobs',
  path: '/library/export/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH'] },
  readers: 'customize_content',
  writers: 'customize_content',
  patchDemands: 'status',
  fields: {
    id: 'integer',
    status: { oneOf: STATUSES },
    triggered: 'time',
    triggered_by: 'user',
    completed: { nullable: 'time' },
    type: { oneOf: TYPES },
    file_format: { oneOf: FORMATS },
    content_models: 'strings',
    errors: {
      nullable: {
        list: {
          object: {
            file: { nullable: 'string' },
            row: { nullable: 'integer' },
            field: { nullable: 'string' },
            details: 'string',
          },
        },
      },
    },
    can_retry: 'boolean',
    progress: { nullable: { object: { done: 'integer', total: 'integer' } } },
  },
  filters: {
    id: integer('id'),
    status: choice('status', STATUSES),
    triggered: time('triggered'),
    triggered_by: integer(userId('triggered_by')),
    completed: time('completed'),
    type: choice('type', TYPES),
    file_format: choice('file_format', FORMATS),
  },
  orderings: {
    id: byField('id'),
    status: byField('status'),
    triggered_by: byPerson('triggered_by'),
    triggered: byTime('triggered'),
  },
  defaultOrdering: 'id',
  search: ({ type, file_format: format, content_models: models, triggered_by: person }) => {
    const { email, first_name: first, last_name: last } = person as { [name: string]: string };
    return [type, format, ...(models as string[]), email, first, last].map(String);
  },
  seed: async (test, { api }) => {
    const others = await Promise.all(['Zoe', 'amy'].map((firstName) => test.newUser({ role: 'UR4', firstName })));
    const callers = [api, ...others.map((other) => other.api)];
    for (const [index, status] of [...STATUSES, ...STATUSES].entries()) {
      const { id } = await makeExport(callers[index % 3] ?? api, {
        type: TYPES[index % 2],
        file_format: FORMATS[index % 4],
      });
      // As a worker would leave it.
      await test.database.query(
        `UPDATE export_job SET status = $2::text, progress_done = 3, progress_total = 7,
          triggered_by = CASE WHEN $3 THEN triggered_by END,
          completed_at = CASE WHEN $2 IN ('success', 'fail', 'cancel') THEN clock_timestamp() END,
          lease_until = CASE WHEN $2 = 'in_progress' THEN now() END,
          errors = CASE WHEN $2 = 'fail' THEN '[{"file": null, "row": null, "field": null, "details": "No."}]'::json END
         WHERE id = $1`,
        // Jobs that an operator started have no owner.
        [id, status, index > 0],
      );
    }
  },
  create: {
    status: 200,
    body: () => Promise.resolve({ type: 'content', file_format: 'yaml', content_models: ['answer', 'threat'] }),
  },
};

const IMPORT_STATUSES = [
  'pending',
  'generating_diff',
  'ready_for_review',
  'applying_changes',
  'success',
  'fail',
  'cancel',
];

const importJobs: Resource = {
  name: 'import jobs',
  path: '/library/import/',
  key: exportJobs.key,
  methods: exportJobs.methods,
  readers: 'customize_content',
  writers: 'customize_content',
  patchDemands: 'status',
  fields: {
    ...exportJobs.fields,
    status: { oneOf: IMPORT_STATUSES },
    type: { nullable: { oneOf: TYPES } },
    file_format: { nullable: { oneOf: FORMATS } },
    accepted: { nullable: 'time' },
    accepted_by: { nullable: 'user' },
    interpreted: {
      list: {
        object: {
          kind: 'string',
          file: 'string',
          field: { nullable: 'string' },
          row: { nullable: 'integer' },
          count: 'integer',
          details: 'string',
        },
      },
    },
  },
  filters: {
    ...exportJobs.filters,
    status: choice('status', IMPORT_STATUSES),
    accepted: time('accepted'),
  },
  orderings: exportJobs.orderings,
  defaultOrdering: 'id',
  ...(exportJobs.search && { search: exportJobs.search }),
  seed: async (test, { api }) => {
    const others = await Promise.all(['Zoe', 'amy'].map((firstName) => test.newUser({ role: 'UR4', firstName })));
    const callers = [api, ...others.map((other) => other.api)];
    for (const [index, status] of [...IMPORT_STATUSES, ...IMPORT_STATUSES].entries()) {
      const { id } = await importRows(callers[index % 3] ?? api, 'standard');
      // As a worker would leave it.
      await test.database.query(
        `UPDATE import_job SET status = $2::text, progress_done = 3, progress_total = 7,
          type = $3, file_format = $4,
          completed_at = CASE WHEN $2 IN ('success', 'fail', 'cancel') THEN clock_timestamp() END,
          accepted_at = CASE WHEN $2 IN ('success', 'applying_changes') THEN clock_timestamp() END,
          accepted_by = CASE WHEN $2 IN ('success', 'applying_changes') THEN triggered_by END,
          lease_until = CASE WHEN $2 IN ('generating_diff', 'applying_changes') THEN now() END,
          summary = CASE WHEN $2 = 'ready_for_review' THEN '{}'::json END,
          errors = CASE WHEN $2 = 'fail' THEN '[{"file": null, "row": null, "field": null, "details": "No."}]'::json END
         WHERE id = $1`,
        [id, status, TYPES[index % 2], FORMATS[index % 4]],
      );
    }
  },
};

/**
 * The import whose changes are listed, and one without changes, with fixed ids for use in paths.
 */
const [IMPORT, IDLE_IMPORT] = [1001, 1002];
const MODELS = ['standard', 'threat', 'answer'];
const ACTIONS = ['created', 'updated', 'deactivated'];

const importDifference: Resource = {
  name: 'the changes of an import',
  path: `/library/import/${IMPORT}/diff/`,
  elsewhere: (parent) => `/library/import/${parent}/diff/`,
  emptyParent: String(IDLE_IMPORT),
  key: { field: 'id', shape: /^CT\d+$/, absent: 'CT999999' },
  methods: { list: ['GET'] },
  readers: 'customize_content',
  paged: { defaultSize: 100, maximumSize: 1000 },
  extraFields: ['summary', 'interpreted'],
  fields: {
    model: { oneOf: CONTENT_MODELS },
    id: { nullable: 'string' },
    row: 'integer',
    action: { oneOf: ACTIONS },
    changes: 'json',
  },
  filters: {
    model: choice('model', CONTENT_MODELS),
    action: choice('action', ACTIONS),
    id: text('id'),
  },
  orderings: { row: byField('row') },
  defaultOrdering: 'row',
  search: ({ model, id }) => [String(model), String(id)],
  seed: async (test, { id, admin }) => {
    // As a worker would leave it: with the difference of an earlier attempt, and with unchanged rows.
    await test.database.query(
      `INSERT INTO import_job (id, organization_id, triggered_by, status, type, file_format, file_name, kept_until,
        summary,
         difference_fence)
       OVERRIDING SYSTEM VALUE
       SELECT n, $1, $2, 'ready_for_review', 'content', 'csv', 'library.zip', 'infinity', '{}', 2
         FROM unnest($3::bigint[]) n`,
      [id, admin.id, [IMPORT, IDLE_IMPORT]],
    );
    await test.database.query(
      `INSERT INTO import_row (job_id, fence, position, model, file, row, item_id, given, action, changes)
       SELECT $1, 1 + n % 2, n, ($2::text[])[1 + n % 3], 'x.csv', n, 'CT' || n, '{}',
         CASE WHEN n % 5 = 0 THEN 'unchanged'
           ELSE ($3::text[])[1 + n / 2 % 3] END, '{"title": {"from": null, "to": "x"}}'
       FROM generate_series(2, 301) n`,
      [IMPORT, MODELS, ACTIONS],
    );
  },
  fill: (test, _, rows) =>
    test.database.query(
      `INSERT INTO import_row (job_id, fence, position, model, file, row, item_id, given, action, changes)
       SELECT $1, 2, n, 'standard', 'x.csv', n, 'CT' || n, '{}', 'created', '{}'
       FROM generate_series(1001, 1000 + $2::int) n`,
      [IMPORT, rows],
    ),
};

/** The jobs of the worker. */
export const JOBS: readonly Resource[] = [exportJobs, importDifference, importJobs];
