import type { Statements } from './minimal-server.ts';

/** One kind of request, sent to the service and, if it has an equivalent, to the minimal server. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly method: 'GET' | 'PATCH';
  /** Path of the n-th request. */
  readonly path: (n: number) => string;
  readonly body?: (n: number) => string;
  /** The equivalent path on the minimal server, if there is one. */
  readonly minimalPath?: (n: number) => string;
  /** Path on Directus; the body is the same. */
  readonly directus?: (n: number) => string;
  /** The target: a share of the minimal server's rate, requests per second, or either. */
  readonly target: { readonly ratio?: number; readonly perSecond?: number };
}

const FIRST = 1000;
const LAST_PLAIN = 9000;
const custom = (n: number): string => `CT${FIRST + (n % LAST_PLAIN)}`;
const FILTERED = 'page_size=100&priority__gte=5&active=true&ordering=-priority&include=tags,match_conditions';
const FILTERED_OF_DIRECTUS = [
  'limit=100&sort=-priority&meta=filter_count&fields=*,match_conditions.*',
  'filter[priority][_gte]=5&filter[active][_eq]=true',
].join('&');

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'item',
    about: 'GET of one countermeasure',
    method: 'GET',
    path: (n) => `/api/v2/library/tasks/${custom(n)}/`,
    minimalPath: (n) => `/item?id=${custom(n)}`,
    directus: (n) => `/items/countermeasure/${custom(n)}`,
    target: { ratio: 0.45 },
  },
  {
    name: 'list',
    about: 'page of 100, in the order of ids',
    method: 'GET',
    path: () => '/api/v2/library/tasks/?page_size=100',
    minimalPath: () => '/list',
    directus: () => '/items/countermeasure?limit=100&sort=id&meta=filter_count',
    target: { ratio: 0.55 },
  },
  {
    name: 'filtered',
    about: 'page of 100, filtered and ordered by priority, with tags and match conditions',
    method: 'GET',
    path: () => `/api/v2/library/tasks/?${FILTERED}`,
    minimalPath: () => '/filtered',
    directus: () => `/items/countermeasure?${FILTERED_OF_DIRECTUS}`,
    target: { ratio: 0.65 },
  },
  {
    name: 'search',
    about: 'page of 100, found by a word in the title',
    method: 'GET',
    path: () => '/api/v2/library/tasks/?page_size=100&search=abc',
    minimalPath: () => '/search',
    target: { ratio: 0.5 },
  },
  {
    name: 'patch',
    about: 'PATCH of one field, with its activity, in one transaction',
    method: 'PATCH',
    path: (n) => `/api/v2/library/tasks/${custom(n)}/`,
    body: (n) => JSON.stringify({ priority: 1 + (n % 10) }),
    minimalPath: (n) => `/patch?id=${custom(n)}`,
    directus: (n) => `/items/countermeasure/${custom(n)}`,
    target: { perSecond: 400 },
  },
];

const USER = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'email', ${alias}.email, 'first_name', ${alias}.first_name, 'last_name', ${alias}.last_name)`;

const TIME = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM')`;

const CONDITIONS = `(SELECT coalesce(json_agg(json_build_object('db_id', m.db_id, 'id', m.item_id,
    'required', (SELECT coalesce(json_agg(a.item_id), '[]') FROM survey_answer a WHERE a.id = ANY(m.required)),
    'excluded', (SELECT coalesce(json_agg(a.item_id), '[]') FROM survey_answer a WHERE a.id = ANY(m.excluded)))
    ORDER BY m.position), '[]') FROM match_condition m WHERE m.countermeasure_version_id = v.id)`;

/** One page of the rows that the organization sees, written by hand so that the indexes are used. */
const visible = (organization: number, where: string, order: string, limit: number): string => `
  SELECT * FROM (
    (SELECT * FROM countermeasure_version WHERE organization_id = ${organization} AND ${where} ORDER BY ${order}
      LIMIT ${limit})
    UNION ALL
    (SELECT * FROM countermeasure_version o WHERE organization_id IS NULL AND ${where} AND NOT EXISTS (
      SELECT 1 FROM countermeasure_version own WHERE own.countermeasure_id = o.countermeasure_id
        AND own.organization_id = ${organization})
      ORDER BY ${order} LIMIT ${limit})) seen ORDER BY ${order} LIMIT ${limit}`;

const rows = (source: string, more = ''): string => `
  SELECT v.item_id AS id, CASE WHEN v.is_custom THEN -v.number ELSE v.number END AS db_id,
    '/library/tasks/' || v.item_id || '/' AS url, v.title, v.text, w.item_id AS problem, v.priority,
      p.item_id AS phase, v.active,
    CASE WHEN v.is_custom THEN 'Custom' WHEN v.organization_id IS NULL THEN 'Built-in'
      ELSE 'Built-in Modified' END AS type,
    ${USER('c')} AS created_by, ${TIME('v.created_at')} AS created_date,
    ${USER('u')} AS last_updated_by, ${TIME('v.updated_at')} AS last_updated_date${more}
  FROM (${source}) v JOIN weakness w ON w.id = v.weakness_id JOIN phase p ON p.id = v.phase_id
  LEFT JOIN user_account c ON c.id = v.created_by LEFT JOIN user_account u ON u.id = v.updated_by`;

const asJson = (statement: string): string => `SELECT json_agg(r)::text AS json FROM (${statement}) r`;

const item = (organization: number): string =>
  asJson(rows(`SELECT * FROM countermeasure_version WHERE item_id = $1 AND organization_id = ${organization}`));

/** The minimal server's statements: the same rows, WHERE and ORDER as the scenarios, in hand-written SQL. */
export const minimalStatements = (organization: number): Statements => ({
  '/item': item(organization),
  '/list': asJson(rows(visible(organization, 'true', 'is_custom, number', 100))),
  '/filtered': asJson(
    rows(
      visible(organization, 'priority >= 5 AND active', 'priority DESC, is_custom DESC, number DESC', 100),
      `, to_json(v.tags) AS tags, ${CONDITIONS} AS match_conditions`,
    ),
  ),
  // Lock the row, update it, record the activity, and read the row again.
  '/patch': [
    `SELECT * FROM countermeasure_version WHERE item_id = $1 AND organization_id = ${organization} FOR UPDATE`,
    `UPDATE countermeasure_version
      SET priority = 1 + priority % 10, revision = revision + 1, updated_at = clock_timestamp()
      WHERE item_id = $1 AND organization_id = ${organization}`,
    `INSERT INTO activity (organization_id, name, text, data, icon, log_level)
      VALUES (${organization}, 'UpdatedStandardActivity', '*Ada* updated countermeasure',
        jsonb_build_object('task', $1::text), 'edit', 'INFO')`,
    item(organization),
  ],
  '/search': asJson(rows(visible(organization, `search_text ILIKE '%abc%'`, 'is_custom, number', 100))),
});
