import type { Model } from './model.js';

const PORTFOLIO = ['Project', 'Application', 'BusinessUnit'];
const APPLICATION = [...PORTFOLIO, 'Task', 'Problem', 'Threat'];
const LIBRARY = [
  'LibraryAmendment',
  'LibraryComponent',
  'LibraryHowTo',
  'LibraryProblem',
  'LibraryTask',
  'LibraryThreat',
  'Regulation',
];
const TRENDS = ['TrendApplication', 'TrendProject', 'TrendTask'];

/** The cubes of each schema. `all` contains everything except the trends. */
const CUBES = {
  all: undefined,
  activity: ['Activity', 'User', ...PORTFOLIO],
  application: APPLICATION,
  countermeasure: [...APPLICATION, 'LibraryTask', 'LibraryProblem', 'Regulation'],
  integration: ['Integration', 'User', ...PORTFOLIO],
  library: LIBRARY,
  project_survey_answers: ['ProjectSurveyAnswer', ...PORTFOLIO],
  training: ['Training', 'User', ...PORTFOLIO],
  trend_application: ['TrendApplication', ...PORTFOLIO],
  trend_project: ['TrendProject', ...PORTFOLIO],
  trend_task: ['TrendTask', ...PORTFOLIO],
  user: ['User', ...PORTFOLIO],
} as const satisfies Record<string, readonly string[] | undefined>;

export type ReportSchema = keyof typeof CUBES;

export const REPORT_SCHEMAS = Object.keys(CUBES) as ReportSchema[];

/** Other names that clients use. */
const ALIASES: Readonly<Record<string, ReportSchema>> = { trend_projects: 'trend_project', trend_tasks: 'trend_task' };

/** All names of schemas, including aliases. */
export const SCHEMA_NAMES = [...REPORT_SCHEMAS, ...Object.keys(ALIASES)];

/** Finds a schema by one of its names; undefined if there is none. */
export function schemaOf(name: unknown): ReportSchema | undefined {
  if (typeof name !== 'string') return undefined;
  if (Object.hasOwn(CUBES, name)) return name as ReportSchema;
  return Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
}

/** Whether a schema contains daily snapshots: its queries need a time dimension. */
export const isTrend = (schema: ReportSchema): boolean => schema.startsWith('trend_');

/** Whether queries of a schema may name a cube. */
export function containsCube(model: Model, schema: ReportSchema, cube: string): boolean {
  if (!model.cubes.get(cube)?.isPublic) return false;
  const cubes: readonly string[] | undefined = CUBES[schema];
  return cubes ? cubes.includes(cube) : !TRENDS.includes(cube);
}
