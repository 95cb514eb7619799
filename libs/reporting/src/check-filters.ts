import { type Checking, isPlain } from './query-error-collector.js';
import { checkDates } from './check-times.js';
import type { Member } from './model.js';
import { type Operator, operatorOf, OPERATORS, type OperatorName, appliesTo } from './operators.js';
import type { Condition, Filter } from './query.js';

/** Limits on the cost of one query. */
export const MAX_FILTERS = 200;
const MAX_DEPTH = 10;

const CONDITION_KEYS = new Set(['member', 'operator', 'values']);
const NUMBER = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})$/;

/** The kinds of members that a list of filters names. */
type Kinds = Set<Member['kind']>;

/** Checks filters, including nested groups, and returns the valid ones. */
export function checkFilters(checking: Checking, filters: unknown): Filter[] {
  if (filters === undefined) return [];
  if (!Array.isArray(filters)) return (checking.errors.note('filters', 'Expected a list.'), []);
  return new FilterCheck(checking).list(filters, 'filters', 1, new Set());
}

class FilterCheck {
  private count = 0;

  constructor(private readonly checking: Checking) {}

  list(filters: readonly unknown[], path: string, depth: number, kinds: Kinds): Filter[] {
    return filters.flatMap((filter, index) => {
      this.count += 1;
      if (this.count > MAX_FILTERS) {
        if (this.count === MAX_FILTERS + 1) this.note(`A query can have at most ${MAX_FILTERS} filters.`);
        return [];
      }
      return this.one(filter, `${path}[${index}]`, depth, kinds) ?? [];
    });
  }

  private note(message: string): undefined {
    return this.checking.errors.note('filters', message);
  }

  private one(filter: unknown, path: string, depth: number, kinds: Kinds): Filter | undefined {
    if (!isPlain(filter)) return this.note(`${path}: Expected an object.`);
    if ('or' in filter || 'and' in filter) return this.group(filter, path, depth, kinds);
    return this.condition(filter, path, kinds);
  }

  private group(
    filter: Readonly<Record<string, unknown>>,
    path: string,
    depth: number,
    kinds: Kinds,
  ): Filter | undefined {
    const word = 'or' in filter ? 'or' : 'and';
    const parts = filter[word];
    if (Object.keys(filter).length > 1) return this.note(`${path}: "${word}" cannot have other keys next to it.`);
    if (!Array.isArray(parts) || !parts.length) return this.note(`${path}.${word}: Expected a non-empty list.`);
    if (depth >= MAX_DEPTH) return this.note(`${path}: Filters can have at most ${MAX_DEPTH} levels.`);
    const within: Kinds = new Set();
    const checked = this.list(parts, `${path}.${word}`, depth + 1, within);
    if (within.size > 1) this.note(`${path}.${word}: Measures and dimensions can't be filtered in one "${word}".`);
    for (const kind of within) kinds.add(kind);
    return word === 'or' ? { or: checked } : { and: checked };
  }

  private condition(filter: Readonly<Record<string, unknown>>, path: string, kinds: Kinds): Condition | undefined {
    for (const key of Object.keys(filter))
      if (!CONDITION_KEYS.has(key)) this.note(`${path}.${key.slice(0, 100)}: This key is unknown.`);
    const member = this.checking.member(filter['member'], 'filters', `${path}.member`);
    const operator = operatorOf(filter['operator']);
    const name = filter['operator'] as OperatorName;
    if (!operator)
      this.note(
        `${path}.operator: ${JSON.stringify(name)?.slice(0, 100) ?? 'This'} is not an operator. Allowed: ` +
          `${Object.keys(OPERATORS).join(', ')}.`,
      );
    if (!member) return undefined;
    kinds.add(member.kind);
    if (!operator) return undefined;
    if (!appliesTo(operator, member))
      return this.note(`${path}.operator: "${name}" can't be used on "${member.name}".`);
    const values = this.values(filter['values'], `${path}.values`, member, name, operator);
    return values && { member: member.name, operator: name, values };
  }

  private values(
    raw: unknown,
    path: string,
    member: Member,
    name: OperatorName,
    operator: Operator,
  ): (string | null)[] | undefined {
    const values: unknown = raw ?? [];
    if (!Array.isArray(values)) return this.note(`${path}: Expected a list.`);
    const { minimum, maximum } = operator;
    const range = minimum === maximum ? minimum : `${minimum} to ${maximum}`;
    if (values.length < minimum || values.length > maximum)
      return this.note(`${path}: The number of values for "${name}" must be ${range}.`);
    const valueErrors = values.flatMap((value: unknown, index) => {
      const error = errorOf(value, member, operator.nullable === true);
      return error === undefined ? [] : [`${path}[${index}]: ${error}`];
    });
    for (const message of valueErrors) this.note(message);
    if (valueErrors.length) return undefined;
    const sound = values as (string | null)[];
    if (member.type === 'time') return checkDates(this.checking, sound, operator, path);
    return member.type === 'boolean' ? sound.map((value) => value && value.toLowerCase()) : sound;
  }
}

/** Checks one value of a filter, except times, which `checkDates` checks together. Returns the error, if any. */
function errorOf(value: unknown, member: Member, nullable: boolean): string | undefined {
  if (value === null && nullable) return undefined;
  if (typeof value !== 'string') return 'Not a valid string.';
  if (member.type === 'number' && !NUMBER.test(value.trim())) return 'Not a valid number.';
  if (member.type === 'boolean' && !/^(true|false)$/i.test(value)) return 'Must be "true" or "false".';
  return undefined;
}
