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

describe('A query on activities', () => {
  it('is run on counts by the hour, where these give the same answer', () => {
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
    ['names what hours do not tell', { dimensions: ['Activity.actor'] }],
    ['counts differently', { measures: ['Activity.actorCount'] }],
    ['filters by what hours do not tell', { filters: [{ member: 'Activity.project', operator: 'set' }] }],
    ['filters by the time', { filters: [{ member: 'Activity.date', operator: 'set' }] }],
    ['names another cube', { dimensions: ['Activity.name', 'User.email'] }],
    ['asks for the rows', { ungrouped: true }],
    ['asks for minutes', { timeDimensions: [{ dimension: 'Activity.date', granularity: 'minute' }] }],
    ['asks for each moment', { dimensions: ['Activity.date'], timeDimensions: [] }],
    [
      'begins within an hour',
      { timeDimensions: [{ dimension: 'Activity.date', dateRange: ['2026-01-01T10:30', '2026-01-02'] }] },
    ],
    [
      'ends within an hour',
      { timeDimensions: [{ dimension: 'Activity.date', dateRange: ['2026-01-01', '2026-01-02T10:30'] }] },
    ],
    ['is of a zone half an hour off', { timezone: 'Asia/Kolkata' }],
    ['is of a zone that once was', { timezone: 'America/Caracas' }],
  ])('is run on the activities themselves where it %s', (_, fields) => {
    expect(cubeOf(fields)).toBeUndefined();
    expect(cubeOf({})).toBe('ActivityHour.count');
  });
});

describe('A query on the trend of countermeasures', () => {
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
  ])('is run on %s where it asks for no more: %j', (cube, fields) => {
    const rolled = rolledUp(checkQuery({ ...trend, ...fields }).queries[0]!);
    expect(rolled?.query.measures).toEqual(cube && [`${cube}.count`]);
  });
});

describe('A query on countermeasures of projects', () => {
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
  ])('is run on %s where it asks for no more: %j', (cube, fields) => {
    const rolled = rolledUp(checkQuery({ ...open, ...fields }).queries[0]!);
    expect(rolled?.query.filters).toEqual(cube && [expect.objectContaining({ member: `${cube}.status` })]);
  });

  it('keeps the names of what is next to it', () => {
    const rolled = rolledUp(checkQuery({ ...open, dimensions: ['Application.name'] }).queries[0]!);
    expect(rolled?.query.dimensions).toEqual(['Application.name']);
    expect(['TaskByProject.count', 'Application.name'].map((name) => rolled?.nameOf(name))).toEqual([
      'Task.count',
      'Application.name',
    ]);
  });
});
