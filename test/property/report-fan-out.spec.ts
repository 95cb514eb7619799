import { ORGANIZATION_SETTING } from '#domain/kernel/transaction.js';
import { REPORTING_ROLE } from '#domain/reports/reporting-schema/reporting-schema.js';
import { checkQuery } from '#reporting/check-query.js';
import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import type { Value } from '#reporting/engine.js';
import { planJoins } from '#reporting/joins.js';
import { type Member, reportingModel } from '#reporting/model.js';
import { containsCube, REPORT_SCHEMAS } from '#reporting/schemas.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { storePlainCubes, PLAIN_JOINS } from '../support/plain-cubes.js';
import { Chance, makePortfolio } from '../support/report-data.js';

const model = reportingModel();
const CUBES = [...model.cubes.values()].filter(({ isPublic }) => isPublic);
const columnOf = ({ name }: Member): string => name.split('.')[1] ?? '';
const membersOf = (cube: string, kind: Member['kind']): Member[] =>
  [...model.members.values()].filter((member) => member.cube === cube && member.kind === kind);

const withStatus = (status: string): string => `count(key) FILTER (WHERE status = '${status}')`;
const percent = (part: string, all: string): string => `round(100.0 * ${part} / nullif(${all}, 0), 2)`;
const sum = (status: string): string => `coalesce(sum(total) FILTER (WHERE status = '${status}'), 0)`;
const ofDays = (total: string): string => `round(${total}::numeric / nullif(count(DISTINCT day), 0))`;

/** Measures in plain SQL over the rows of their cube, each of which is there once. */
const PLAIN_MEASURES: Readonly<Record<string, string>> = {
  'Project.activeCount': 'count(key) FILTER (WHERE NOT archived)',
  'Project.archivedCount': 'count(key) FILTER (WHERE archived)',
  'Task.completeCount': withStatus('Complete'),
  'Task.incompleteCount': withStatus('Incomplete'),
  'Task.naCount': withStatus('Not Applicable'),
  'Task.highPriorityCount': 'count(key) FILTER (WHERE priority > 6)',
  'Task.completePercent': percent(withStatus('Complete'), 'count(key)'),
  'Task.averagePriority': 'avg(priority)',
  'Problem.averageRiskRating': 'avg("riskRating")',
  'Threat.averageSeverity': 'avg(severity)',
  'ProjectSurveyAnswer.projectCount': 'count(DISTINCT project_id)',
  'Activity.actorCount': 'count(DISTINCT actor_id)',
  'User.activeCount': 'count(key) FILTER (WHERE "isActive")',
  'Integration.deliveryCount': 'sum(deliveries)',
  'Integration.failureCount': 'sum(failures)',
  'Training.count': 'count(DISTINCT training_module_id)',
  'Training.completedCount': 'count(key) FILTER (WHERE completed)',
  'LibraryTask.modifiedCount': `count(key) FILTER (WHERE type = 'Built-in Modified')`,
  'LibraryTask.averagePriority': 'avg(priority)',
  'Regulation.count': 'count(DISTINCT regulation_id)',
  'Regulation.taskCount': 'count(DISTINCT countermeasure_id)',
};

/** Those that several cubes have alike. */
function plainMeasure({ name, cube }: Member): string {
  const measure = PLAIN_MEASURES[name];
  const own = name.slice(cube.length + 1);
  if (measure !== undefined) return measure;
  if (cube.startsWith('Trend')) {
    if (own === 'count') return ofDays('sum(total)');
    if (own === 'completeCount') return ofDays(sum('Complete'));
    if (own === 'incompleteCount') return ofDays(sum('Incomplete'));
    if (own === 'completePercent') return percent(sum('Complete'), 'sum(total)');
  }
  if (own === 'activeCount') return 'count(key) FILTER (WHERE active)';
  if (own === 'customCount') return `count(key) FILTER (WHERE type = 'Custom')`;
  if (own === 'count') return 'count(key)';
  throw new Error(`Say in plain SQL what ${name} measures.`);
}

/** How two cubes are joined, in plain SQL over the tables of `storePlainCubes`. */
function plainJoin(cubes: readonly string[]): string {
  const plan = planJoins(model, cubes);
  if (!plan) throw new Error(`These cubes cannot be joined: ${cubes.join(', ')}.`);
  const joined = new Set([plan.root]);
  const joins = plan.paths.flatMap((path) =>
    path.slice(1).flatMap((cube, index) => {
      if (joined.has(cube)) return [];
      joined.add(cube);
      const from = path[index] ?? '';
      const [left, right] = PLAIN_JOINS[`${from}-${cube}`] ?? [];
      return [`LEFT JOIN plain."${cube}" ON "${from}"."${left}" = "${cube}"."${right}"`];
    }),
  );
  return `plain."${plan.root}" ${joins.join(' ')}`;
}

/** The first schema that holds both, and so the two in one query. */
const schemaFor = (cubes: readonly string[]): string | undefined =>
  REPORT_SCHEMAS.find((schema) => cubes.every((cube) => containsCube(model, schema, cube)));

const PAIRS = CUBES.flatMap(({ name: measured }) =>
  CUBES.filter(({ name: other }) => other !== measured && schemaFor([measured, other]) !== undefined).map(
    ({ name: other }) => [measured, other] as const,
  ),
);

describe('Measures of a cube that is joined with another', () => {
  let database: TestDatabase;
  let engine: EmbeddedEngine;
  let organization: number;

  beforeAll(async () => {
    database = await cloneDatabase();
    const chance = new Chance(11);
    organization = await makePortfolio(database, chance);
    await makePortfolio(database, chance);
    await storePlainCubes(database, organization);
    engine = new EmbeddedEngine({
      url: database.url,
      poolSize: 2,
      timeoutSeconds: 30,
      role: REPORTING_ROLE,
      organizationSetting: ORGANIZATION_SETTING,
    });
    await load({ schema: 'library', measures: ['LibraryTask.count'] });
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    await database.drop();
  });

  const load = async (input: object) => (await engine.load(checkQuery(input).queries[0]!, organization)).rows;
  const number = (value: Value | undefined): number | null =>
    value === null || value === undefined ? null : Number(Number(value).toFixed(6));

  it('are tested with every join of the model', () => {
    const edges = [...model.cubes.values()].flatMap(({ name, joins }) => joins.map((other) => `${name}-${other}`));
    // Rollups of Task are joined in the same way as Task.
    const tested = edges.filter((edge) => !edge.includes('TaskBy'));
    expect(tested.sort()).toEqual(Object.keys(PLAIN_JOINS).sort());
  });

  it('can be queried together with every other cube of a schema', () => {
    expect(PAIRS.length).toBeGreaterThan(300);
    expect(PAIRS.filter((pair) => !planJoins(model, pair))).toEqual([]);
  });

  /**
   * Every measure of the first cube by a dimension of the other, as plain SQL counts it: each row of the first once.
   */
  async function expected(
    measured: string,
    other: string,
    dimension?: Member,
  ): Promise<Map<string, (number | null)[]>> {
    const group = dimension ? `"${other}"."${columnOf(dimension)}"` : 'NULL::text';
    const measures = membersOf(measured, 'measure').map((member) => `(${plainMeasure(member)})::text`);
    const rows = await database.query<{ found: string[]; grouped: Value }>(
      `SELECT ${dimension ? 'grouped' : 'NULL'} AS grouped, ARRAY[${measures.join(', ')}] AS found FROM (
         SELECT DISTINCT ON (${group}, "${measured}".key) ${group} AS grouped, "${measured}".*
           FROM ${plainJoin([measured, other])}
       ) once ${dimension ? 'GROUP BY grouped' : ''}`,
    );
    return new Map(rows.map(({ grouped, found }) => [String(grouped), found.map(number)]));
  }

  it.each(PAIRS)('do not count rows of %s twice when it is joined with %s', async (measured, other) => {
    const schema = schemaFor([measured, other]);
    const measures = membersOf(measured, 'measure').map(({ name }) => name);
    const trend = [measured, other].find((cube) => cube.startsWith('Trend'));
    const shared = { schema, limit: 50_000, ...(trend && { timeDimensions: [{ dimension: `${trend}.date` }] }) };
    // Times are written otherwise in plain SQL, and would be too many groups.
    for (const dimension of membersOf(other, 'dimension')
      .filter(({ type }) => type !== 'time')
      .slice(0, 2)) {
      const expectedRows = await expected(measured, other, dimension);
      // The measures of a query decide which table it reads.
      for (const chosen of [measures, ...(measured === 'Task' ? measures.map((name) => [name]) : [])]) {
        const rows = await load({ ...shared, measures: chosen, dimensions: [dimension.name] });
        const actualRows = rows.map(
          (row) => [String(row[dimension.name]), chosen.map((name) => number(row[name]))] as const,
        );
        const all = [...expectedRows].map(
          ([group, figures]) => [group, chosen.map((name) => figures[measures.indexOf(name)])] as const,
        );
        expect([dimension.name, chosen, new Map(actualRows)]).toEqual([dimension.name, chosen, new Map(all)]);
      }
    }
    // With a measure of each, neither multiplies the other.
    const [otherMeasure] = membersOf(other, 'measure');
    const [row] = await load({ ...shared, measures: [...measures, otherMeasure?.name] });
    const [all] = (await expected(measured, other)).values();
    expect(measures.map((name) => number(row?.[name]))).toEqual(all);
  });
});
