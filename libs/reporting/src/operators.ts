import type { Member } from './model.js';

type Target = 'measure' | Member['type'];

export interface Operator {
  /** The types of members that it can be used on. */
  readonly targets: readonly Target[];
  /** The number of values that it accepts. */
  readonly minimum: number;
  readonly maximum: number;
  readonly nullable?: boolean;
  /** Whether its values are one range of dates: both ends, or a phrase. */
  readonly isRange?: boolean;
}

/** Maximum number of values of one filter. */
export const MAX_VALUES = 1000;

const EVERYTHING: readonly Target[] = ['measure', 'string', 'number', 'time', 'boolean'];
const some = (targets: readonly Target[]): Operator => ({
  targets,
  minimum: 1,
  maximum: MAX_VALUES,
  nullable: true,
});
const one = (targets: readonly Target[]): Operator => ({ targets, minimum: 1, maximum: 1 });
const none: Operator = { targets: EVERYTHING, minimum: 0, maximum: 0 };
const range: Operator = { targets: ['time'], minimum: 1, maximum: 2, isRange: true };
const date = one(['time']);

export const OPERATORS = {
  equals: some(EVERYTHING),
  notEquals: some(EVERYTHING),
  in: some(EVERYTHING),
  notIn: some(EVERYTHING),
  contains: some(['string']),
  notContains: some(['string']),
  startsWith: some(['string']),
  notStartsWith: some(['string']),
  endsWith: some(['string']),
  notEndsWith: some(['string']),
  gt: one(['measure', 'number', 'time']),
  gte: one(['measure', 'number', 'time']),
  lt: one(['measure', 'number', 'time']),
  lte: one(['measure', 'number', 'time']),
  set: none,
  notSet: none,
  inDateRange: range,
  notInDateRange: range,
  onTheDate: range,
  beforeDate: date,
  beforeOrOnDate: date,
  afterDate: date,
  afterOrOnDate: date,
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof OPERATORS;

/** Finds an operator by name; undefined if there is none. */
export const operatorOf = (name: unknown): Operator | undefined =>
  typeof name === 'string' && Object.hasOwn(OPERATORS, name) ? OPERATORS[name as OperatorName] : undefined;

/** Whether an operator can be used on a member. */
export const appliesTo = (operator: Operator, member: Member): boolean =>
  operator.targets.includes(member.kind === 'measure' ? 'measure' : member.type);
