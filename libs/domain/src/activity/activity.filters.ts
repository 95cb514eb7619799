import { sql } from 'kysely';
import { InvalidValue } from '#query/errors.js';
import { type Filter, listOf, textComparisons } from '#query/filter-parameters.js';
import { idType, parseBoolean, splitCommaList, parseWholeNumber } from '#query/values.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Range } from '#query/projection.js';
import * as schema from '#query/schema.js';
import type { Schema } from '#query/schema.js';
import { idShape, userItemId } from '../kernel/item-id.js';

/** A reference by which activities are filtered, with an index of its own in the order of the stream. */
interface Subject {
  readonly operand: Sql;
  readonly type: 'text' | 'bigint';
  readonly description: string;
  readonly schema: Schema;
  /** Converts a value to the form that activities store. Throws `InvalidValue`. */
  readonly read: (text: string) => string;
}

const userId = (text: string): string => {
  if (!/^U?\d{1,400}$/.test(text)) throw new InvalidValue('Enter the id of a user, such as U7 or 7.');
  return userItemId(parseWholeNumber(text.replace('U', '')));
};

const asWritten = (text: string): string => text;

const idNumber = schema.integer({ example: 17 });

/** The id of a countermeasure in a project, as activities store it: with the number of the project. */
const TASK_IN_PROJECT = /^[1-9]\d{0,17}-(?:C?T|PT)[1-9]\d{0,8}$/;

/** Ordered by selectivity, highest first: if several filters are given, the first one's index is used. */
const SUBJECTS = {
  task: {
    operand: sql`(item.data ->> 'task')`,
    type: 'text',
    description: 'About this countermeasure of a project.',
    schema: schema.string({ example: '1-T21' }),
    read: idType(TASK_IN_PROJECT).parse,
  },
  standard: {
    operand: sql`(item.data ->> 'standard')`,
    type: 'text',
    description: 'About this countermeasure.',
    schema: schema.string({ example: 'T21' }),
    read: idType(idShape('countermeasure')).parse,
  },
  user: {
    operand: sql`(item.data ->> 'user')`,
    type: 'text',
    description: 'About this user: `U7`, or just its number.',
    schema: schema.string({ example: 'U7' }),
    read: userId,
  },
  project: {
    operand: sql`(item.data ->> 'project')`,
    type: 'text',
    description: 'About this project, or something in it.',
    schema: idNumber,
    read: parseWholeNumber,
  },
  application: {
    operand: sql`(item.data ->> 'application')`,
    type: 'text',
    description: 'About this application, or something in it.',
    schema: idNumber,
    read: parseWholeNumber,
  },
  actor: {
    operand: sql`item.actor_id`,
    type: 'bigint',
    description: 'Activities of this user.',
    schema: idNumber,
    read: parseWholeNumber,
  },
  name: {
    operand: sql`item.name`,
    type: 'text',
    description: 'Activities with this name.',
    schema: schema.string({ example: 'CreatedProjectActivity' }),
    read: asWritten,
  },
} as const satisfies Record<string, Subject>;

const valuesOf = (subject: Subject, values: readonly string[]): string[] => [
  ...new Set(splitCommaList(values).map(subject.read)),
];

const cast = (value: string, { type }: Subject): Sql => sql`${value}::${sql.raw(type)}`;
const castAll = (values: readonly string[], { type }: Subject): Sql => sql`${values}::${sql.raw(type)}[]`;

const filterOf = (subject: Subject): Filter => ({
  '': {
    schema: subject.schema,
    description: subject.description,
    read: (values) => {
      const value = subject.read((values[0] ?? '').trim());
      return () => sql`${subject.operand} = ${cast(value, subject)}`;
    },
  },
  __in: listOf(subject.schema, (values) => {
    const any = valuesOf(subject, values);
    return () => sql`${subject.operand} = ANY(${castAll(any, subject)})`;
  }),
  __isnull: {
    schema: schema.boolean(),
    description: 'Whether there is no value.',
    read: (values) => {
      const missing = parseBoolean(values[0] ?? '');
      return () => (missing ? sql`${subject.operand} IS NULL` : sql`${subject.operand} IS NOT NULL`);
    },
  },
});

/** The filters of the activity stream. A name is a text; all others are references. */
export const activityFilters: Readonly<Record<string, Filter>> = {
  ...Object.fromEntries(Object.entries<Subject>(SUBJECTS).map(([name, subject]) => [name, filterOf(subject)])),
  name: { ...filterOf(SUBJECTS.name), ...textComparisons(SUBJECTS.name.operand) },
};

/** The filtered rows of `where`, split into ranges that can each be read in the order of one index. */
export function filteredRanges(where: Sql, { filterValues }: QueryContext): Range[] {
  for (const [name, subject] of Object.entries<Subject>(SUBJECTS)) {
    if (filterValues.has(name)) break;
    const any = filterValues.get(`${name}__in`);
    if (any)
      return [
        {
          where,
          each: { operand: subject.operand, values: sql`SELECT unnest(${castAll(valuesOf(subject, any), subject)})` },
        },
      ];
  }
  return [{ where }];
}
