import { checkQuery } from '#reporting/check-query.js';
import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import { planJoins } from '#reporting/joins.js';
import { type Member, reportingModel } from '#reporting/model.js';
import { type Operator, OPERATORS, type OperatorName, appliesTo } from '#reporting/operators.js';
import { columnsOf, cubesOf, type ReportQuery } from '#reporting/query.js';
import { ORGANIZATION_SETTING } from '#domain/kernel/transaction.js';
import { REPORTING_ROLE } from '#domain/reports/reporting-schema/reporting-schema.js';
import { containsCube, isTrend, REPORT_SCHEMAS } from '#reporting/schemas.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { evaluate } from '../support/naive-reports.js';
import { storePlainCubes, readPlainCubes } from '../support/plain-cubes.js';
import { Chance, makePortfolio } from '../support/report-data.js';
import { countHours } from '../support/report-surroundings.js';

const RUNS = Number(process.env['REPORT_RUNS'] ?? 300);
const SEED = Number(process.env['REPORT_SEED'] ?? 20_261_121);
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const RANGES = [
  ['2026-03-01', '2026-03-31'],
  '2026-03-29',
  ['2026-01-01', '2026-12-31'],
  'last 2 years',
  ['2026-03-29T12:00', '2026-10-25'],
];
const DATES = ['2026-03-29', '2026-06-30', '2026-01-01T12:30:00', '2026-10-25'];

const model = reportingModel();
const { members } = model;
type Members = readonly Member[];
const CUBES = [...model.cubes.values()].filter(({ isPublic }) => isPublic).map(({ name }) => name);

describe('The report engine', () => {
  let database: TestDatabase;
  let engine: EmbeddedEngine;
  let organization: number;
  let cubes: Awaited<ReturnType<typeof readPlainCubes>>;
  const queried = new Set<string>();

  beforeAll(async () => {
    database = await cloneDatabase();
    const chance = new Chance(SEED);
    organization = await makePortfolio(database, chance);
    await makePortfolio(database, chance);
    await countHours(database.url);
    await storePlainCubes(database, organization);
    cubes = await readPlainCubes(database);
    engine = new EmbeddedEngine({
      url: database.url,
      poolSize: 2,
      timeoutSeconds: 30,
      role: REPORTING_ROLE,
      organizationSetting: ORGANIZATION_SETTING,
    });
  }, 120_000);

  afterAll(async () => {
    await engine?.close();
    await database.drop();
  });

  function condition(chance: Chance, allowed: Members): object {
    const member = chance.of(allowed);
    const operators = (Object.keys(OPERATORS) as OperatorName[]).filter((name) => appliesTo(OPERATORS[name], member));
    const operator = chance.of(operators);
    const traits: Operator = OPERATORS[operator];
    if (traits.maximum === 0) return { member: member.name, operator };
    const present = (cubes[member.cube] ?? []).map((row) => row[member.name.split('.')[1] ?? ''] ?? null);
    const value = (): string => {
      if (member.kind === 'measure') return chance.of(['0', '1', '2', '1.5', '5', '33.33', '50', '100']);
      if (member.type === 'time') return chance.of(DATES);
      if (member.type === 'boolean') return chance.of(['true', 'false']);
      const known = chance.of(
        present.filter((one) => one !== null).concat(member.type === 'number' ? [3] : ['a', '%', '_', '\\', 'ß']),
      );
      return member.type === 'string' && chance.holds(0.4) ? String(known).slice(0, 3) : String(known);
    };
    if (traits.isRange) return { member: member.name, operator, values: [chance.of(RANGES)].flat() };
    const values: (string | null)[] = Array.from({ length: traits.maximum === 1 ? 1 : 1 + chance.below(3) }, value);
    return { member: member.name, operator, values: traits.nullable && chance.holds(0.2) ? [...values, null] : values };
  }

  function filter(chance: Chance, allowed: Members, depth: number): object {
    if (depth === 0 || chance.holds(0.5)) return condition(chance, allowed);
    const parts = Array.from({ length: 1 + chance.below(3) }, () => filter(chance, allowed, depth - 1));
    return chance.holds(0.5) ? { or: parts } : { and: parts };
  }

  /** A query over some cubes of a schema that can be joined. */
  function randomQuery(chance: Chance): object {
    const first = chance.of(CUBES);
    const schema = chance.of(REPORT_SCHEMAS.filter((name) => containsCube(model, name, first)));
    const together = CUBES.filter((cube) => containsCube(model, schema, cube));
    const chosenMembers = [...new Set([first, ...chance.some(together, 2)])];
    if (!planJoins(model, chosenMembers)) return randomQuery(chance);
    const allowed = [...members.values()].filter(({ cube }) => chosenMembers.includes(cube));
    const of = (kind: string): Members => allowed.filter((member) => member.kind === kind);
    const times = of('dimension').filter(({ type }) => type === 'time');
    if (isTrend(schema) && !times.length) return randomQuery(chance);
    const names = (some: Members): string[] => [...new Set(some.map(({ name }) => name))];
    const measures = names(chance.some(of('measure'), 3));
    const dimensions = names(chance.some(of('dimension'), 3));
    const granularities = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
    const timeDimensions =
      (times.length && chance.holds(0.5)) || isTrend(schema)
        ? [
            {
              dimension: chance.of(times).name,
              ...(chance.holds(0.7) && { granularity: chance.of(granularities) }),
              ...(chance.holds(0.6) && { dateRange: chance.of(RANGES) }),
            },
          ]
        : [];
    // Of a time and the same with a granularity, Cube puts only one in order.
    if (timeDimensions.some(({ dimension }) => dimensions.includes(dimension))) return randomQuery(chance);
    const columns = [...measures, ...dimensions];
    const cubesNamed = [...columns, ...timeDimensions.map(({ dimension }) => dimension)].map(
      (name) => name.split('.')[0] ?? '',
    );
    // Filters may name any of the cubes: that they can all be joined does not say so of the rest.
    if (!columns.length || !chosenMembers.every((cube) => cubesNamed.includes(cube))) return randomQuery(chance);
    return {
      schema,
      measures,
      dimensions,
      timeDimensions,
      filters: [
        ...Array.from({ length: chance.below(3) }, () => filter(chance, of('dimension'), 3)),
        ...(measures.length && chance.holds(0.3)
          ? [
              filter(
                chance,
                of('measure').filter(({ name }) => measures.includes(name)),
                2,
              ),
            ]
          : []),
      ],
      ...(chance.holds(0.5) && { order: [[chance.of(columns), chance.of(['asc', 'desc'])]] }),
      limit: 50_000,
      timezone: chance.of(ZONES),
      total: chance.holds(0.2),
    };
  }

  /** Numbers as numbers of six digits, so that both ways of rounding agree. */
  const comparable = (query: ReportQuery, rows: readonly Readonly<Record<string, unknown>>[]): unknown[] =>
    rows.map((row) =>
      columnsOf(query).map((name) => {
        const value = row[name];
        if (value === null || value === undefined) return null;
        return members.get(name)?.type === 'number' ? Number(Number(value).toFixed(6)) : String(value);
      }),
    );

  it(`returns the same results as a naive evaluation for ${RUNS} random queries`, async () => {
    const chance = new Chance(SEED + 1);
    let answered = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const input = randomQuery(chance);
      const [query] = checkQuery(input, { now: Date.parse('2026-11-21T12:00:00Z') }).queries;
      const found = await engine.load(query!, organization).catch((error: unknown) => {
        throw new Error(`${JSON.stringify(input)}: ${String((error as Error).cause ?? error)}`);
      });
      const expected = evaluate(cubes, query!);
      if (expected.length > 1) {
        answered += 1;
        for (const cube of cubesOf(query!)) queried.add(cube);
      }
      try {
        expect(comparable(query!, found.rows)).toEqual(comparable(query!, expected));
        if (query!.total) expect(found.total).toBe(expected.length);
      } catch (error) {
        const { text } = await engine.sql(query!);
        throw new Error(`Run ${run}: ${JSON.stringify(input)}\n${text}\n${String(error)}`, { cause: error });
      }
    }
    // Queries that find nothing would prove nothing.
    expect(answered).toBeGreaterThan(RUNS / 3);
    expect(CUBES.filter((cube) => !queried.has(cube))).toEqual([]);
  }, 300_000);
});
