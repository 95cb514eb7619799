import { checkQuery } from './check-query.js';
import { rolledUp } from './rollups.js';

const HOURLY = {
  schema: 'activity',
  measures: ['Activity.count'],
  dimensions: ['Activity.name'],
  timeDimensions: [{ dimension: 'Activity.date', granularity: 'month', dateRange: ['2026-01-01', '2026-12-31'] }],
  filters: [{ or: [{ member: 'Activity.name', operator: 'endsWith', values: ['Activity'] }] }],
  timezone: 'Europe/Berlin',
};
const cubeOf = (fields: object): string | undefined =>
  rolledUp(checkQuery({ ...HOURLY, ...fields }).queries[0]!)?.query.measures[0];

describe('A query for activities', () => {
  it('uses hourly counts if they give the same result', () => {
    const rolled = rolledUp(checkQuery(HOURLY).queries[0]!);
    expect(rolled?.query).toMatchObject({
      measures: ['ActivityHour.count'],
      dimensions: ['ActivityHour.name'],
      timeDimensions: [{ dimension: 'ActivityHour.date', granularity: 'month' }],
      filters: [{ or: [{ member: 'ActivityHour.name' }] }],
      order: [{ id: 'ActivityHour.date', desc: false }],
    });
    expect(rolled?.nameOf('ActivityHour.date.month')).toBe('Activity.date.month');
  });

  it.each([
    ['contains a dimension that hourly counts lack', { dimensions: ['Activity.actor'] }],
    ['uses a measure other than the count', { measures: ['Activity.actorCount'] }],
    ['filters by a dimension that hourly counts lack', { filters: [{ member: 'Activity.project', operator: 'set' }] }],
    ['filters by the date', { filters: [{ member: 'Activity.date', operator: 'set' }] }],
    ['contains another cube', { dimensions: ['Activity.name', 'User.email'] }],
    ['requests ungrouped rows', { ungrouped: true }],
    ['groups by minute', { timeDimensions: [{ dimension: 'Activity.date', granularity: 'minute' }] }],
    ['groups by the exact date', { dimensions: ['Activity.date'], timeDimensions: [] }],
    [
      'begins within an hour',
      { timeDimensions: [{ dimension: 'Activity.date', dateRange: ['2026-01-01T10:30', '2026-01-02'] }] },
    ],
    [
      'ends within an hour',
      { timeDimensions: [{ dimension: 'Activity.date', dateRange: ['2026-01-01', '2026-01-02T10:30'] }] },
    ],
    ['has a time zone with a half-hour offset', { timezone: 'Asia/Kolkata' }],
    ['has a time zone that had a half-hour offset in the past', { timezone: 'America/Caracas' }],
  ])('uses the activities themselves if it %s', (_, fields) => {
    expect(cubeOf(fields)).toBeUndefined();
    expect(cubeOf({})).toBe('ActivityHour.count');
  });
});

describe('A query for the trend of countermeasures', () => {
  const trend = {
    schema: 'trend_task',
    measures: ['TrendTask.count'],
    timeDimensions: [{ dimension: 'TrendTask.date', granularity: 'day' }],
    timezone: 'Asia/Kolkata',
  };
  it.each([
    ['TrendTaskPhase', {}],
    ['TrendTaskPhase', { dimensions: ['TrendTask.phase', 'TrendTask.date'] }],
    ['TrendTaskApplication', { dimensions: ['TrendTask.application'] }],
    [undefined, { dimensions: ['TrendTask.application', 'TrendTask.phase'] }],
    [undefined, { dimensions: ['TrendTask.project'] }],
    [undefined, { dimensions: ['Project.name'] }],
    [undefined, { filters: [{ member: 'TrendTask.project', operator: 'set' }] }],
  ])('uses the rollup %s if it covers %j', (cube, fields) => {
    const rolled = rolledUp(checkQuery({ ...trend, ...fields }).queries[0]!);
    expect(rolled?.query.measures).toEqual(cube && [`${cube}.count`]);
  });
});

describe('A query for countermeasures of projects', () => {
  const open = {
    schema: 'countermeasure',
    measures: ['Task.count'],
    filters: [{ member: 'Task.status', operator: 'equals', values: ['Incomplete'] }],
  };
  it.each([
    ['TaskByCountermeasure', { dimensions: ['Regulation.name', 'LibraryProblem.title'] }],
    ['TaskByCountermeasure', { timeDimensions: [{ dimension: 'LibraryTask.created', granularity: 'month' }] }],
    ['TaskByProject', { dimensions: ['BusinessUnit.name', 'Task.accepted'] }],
    ['TaskByProject', { dimensions: ['Application.name'], measures: ['Task.count', 'Project.count'] }],
    ['TaskByCountermeasure', { dimensions: ['Task.accepted'] }],
    ['TaskByCountermeasure', { dimensions: ['Task.phase', 'Task.title'], measures: ['Task.highPriorityCount'] }],
    [undefined, { dimensions: ['Application.name', 'Task.phase'] }],
    [undefined, { dimensions: ['Regulation.name'], measures: ['Task.count', 'Project.count'] }],
    [undefined, { dimensions: ['Application.name', 'Task.verificationStatus'] }],
    [undefined, { dimensions: ['Task.id'] }],
    [undefined, { dimensions: ['Problem.title'] }],
    [undefined, { measures: ['Task.count', 'Task.averagePriority'] }],
    [undefined, { timeDimensions: [{ dimension: 'Task.created', granularity: 'month' }] }],
    [undefined, { measures: [], dimensions: ['Task.status'], ungrouped: true }],
  ])('uses the rollup %s if it covers %j', (cube, fields) => {
    const rolled = rolledUp(checkQuery({ ...open, ...fields }).queries[0]!);
    expect(rolled?.query.filters).toEqual(cube && [expect.objectContaining({ member: `${cube}.status` })]);
  });

  it('keeps the names of members of other cubes', () => {
    const rolled = rolledUp(checkQuery({ ...open, dimensions: ['Application.name'] }).queries[0]!);
    expect(rolled?.query.dimensions).toEqual(['Application.name']);
    expect(['TaskByProject.count', 'Application.name'].map((name) => rolled?.nameOf(name))).toEqual([
      'Task.count',
      'Application.name',
    ]);
  });
});
