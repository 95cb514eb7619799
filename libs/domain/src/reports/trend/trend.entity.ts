import { defineEntity, p } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';

/** A project on a day. Names are copied, since snapshots are kept after a rename or deletion. */
export const TrendProject = defineEntity({
  name: 'TrendProject',
  tableName: 'trend_project',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    day: p.text().columnType('date').primary(),
    projectId: p.bigint('number').primary(),
    project: p.text(),
    applicationId: p.bigint('number'),
    application: p.text(),
    businessUnit: p.text(),
    phase: p.text().nullable(),
    status: p.text(),
    priority: p.integer().nullable(),
  },
});

/** An application on a day. */
export const TrendApplication = defineEntity({
  name: 'TrendApplication',
  tableName: 'trend_application',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    day: p.text().columnType('date').primary(),
    applicationId: p.bigint('number').primary(),
    application: p.text(),
    businessUnit: p.text(),
    phase: p.text().nullable(),
    status: p.text(),
    priority: p.integer().nullable(),
  },
});

/** How many countermeasures of a project were in a phase, with a status and a priority, on a day. */
export const TrendTask = defineEntity({
  name: 'TrendTask',
  tableName: 'trend_task',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    day: p.text().columnType('date').primary(),
    projectId: p.bigint('number').primary(),
    phase: p.text().primary(),
    status: p.text().primary(),
    priority: p.integer().primary(),
    total: p.integer(),
  },
});

/** `trend_task` without projects, phases and priorities, which long trends rarely use. */
export const TrendTaskApplication = defineEntity({
  name: 'TrendTaskApplication',
  tableName: 'trend_task_application',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    day: p.text().columnType('date'),
    application: p.text().nullable(),
    businessUnit: p.text().nullable(),
    status: p.text(),
    total: p.integer(),
  },
  indexes: [{ name: 'trend_task_application_day', properties: ['organizationId', 'day'] }],
});

/** `trend_task` without projects. */
export const TrendTaskPhase = defineEntity({
  name: 'TrendTaskPhase',
  tableName: 'trend_task_phase',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    day: p.text().columnType('date').primary(),
    phase: p.text().primary(),
    status: p.text().primary(),
    priority: p.integer().primary(),
    total: p.integer(),
  },
});
