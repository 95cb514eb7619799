import { InvalidPage, InvalidParameters, InvalidValue } from './errors.js';
import type { Condition } from './filter-parameters.js';
import { fieldNames, type Projection, type Switch } from './projection.js';
import { filtersOf, pagingOf, type Scope } from './scope.js';
import { choiceType, parseBoolean, parseTimestamp, partsOf } from './values.js';

/** Query parameters as a request brings them: a name given twice has several values. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One term of `ordering`. */
export interface OrderTerm {
  readonly name: string;
  readonly descending: boolean;
}

/** What a request asks of a projection, checked. */
export interface View {
  /** Of one item: whether nothing was asked for, so that the statement is the one that most requests need. */
  readonly usual?: boolean;
  readonly includes: ReadonlySet<string>;
  readonly expands: ReadonlySet<string>;
  readonly excludes: ReadonlySet<string>;
  readonly switches: ReadonlySet<Switch>;
  readonly conditions: readonly Condition[];
  /** The values of the filters given, by parameter. */
  readonly filtered: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  readonly order: readonly OrderTerm[];
  /** Absent where the whole list is asked for. Numbers start at 1. */
  readonly page?: { readonly number: number; readonly size: number };
  /** Of a stream: the ends of the window that were given, the size of a page, and the cursor as text. */
  readonly window?: AskedWindow;
}

/** A page of a stream as it was asked for; undefined is what was not given. */
export interface AskedWindow {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly cursor: string | undefined;
  readonly size: number;
}

/** A view of one item, with nothing asked for. */
export const itemView = (): View => ({
  usual: true,
  includes: new Set(),
  expands: new Set(),
  excludes: new Set(),
  switches: new Set(),
  conditions: [],
  filtered: new Map(),
  words: [],
  order: [],
});

/** Values of one parameter; none where it is absent or empty, as clients send empty parameters for "not set". */
function valuesOf(query: QueryParameters, name: string, repeatable: boolean): readonly string[] {
  const given = query[name];
  const all = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  if (all.length > 1 && !repeatable) throw new InvalidValue('This parameter may be given only once.');
  return all.filter((value) => value !== '');
}

/** Messages by parameter: without a prototype, so that one may be called `__proto__`. */
const errorsByName = (): Record<string, string[]> => Object.create(null) as Record<string, string[]>;

/** Unknown values of one parameter that are told one by one; more would help nobody, and there may be very many. */
const NAMED_UNKNOWN = 10;

/** The query parameters that a route has of its own. */
export interface RouteParameters {
  /** Those that are true. */
  readonly options: ReadonlySet<string>;
  /** Those that take one of a closed set, with their value. */
  readonly chosen: ReadonlyMap<string, string>;
}

/**
 * Checks the query parameters of a route without a projection: `options` are true or false, `choices` one of a closed
 * set, the first where absent. Throws `InvalidParameters`.
 */
export function parseOptions(
  options: readonly string[],
  choices: Readonly<Record<string, { readonly values: readonly [string, ...string[]] }>>,
  query: QueryParameters,
  strict: boolean,
): RouteParameters {
  const errors = errorsByName();
  const given = new Set<string>();
  const chosen = new Map<string, string>();
  const check = (name: string, take: (values: readonly string[]) => void): void => {
    try {
      take(valuesOf(query, name, false));
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[name] = [error.message];
    }
  };
  for (const name of options) check(name, (values) => void (values.some(parseBoolean) && given.add(name)));
  for (const [name, { values: allowed }] of Object.entries(choices))
    check(name, ([value = allowed[0]]) => {
      chosen.set(name, choiceType(allowed).parse(value));
    });
  if (strict)
    for (const name of Object.keys(query))
      if (!options.includes(name) && !Object.hasOwn(choices, name)) errors[name] = ['This query parameter is unknown.'];
  if (Object.keys(errors).length) throw new InvalidParameters(errors);
  return { options: given, chosen };
}

/**
 * Checks the query parameters of a request against a projection.
 * `strict` refuses what is otherwise ignored: unknown parameters and unknown include, expand and exclude values.
 * Throws `InvalidParameters` with everything that is wrong, or `InvalidPage`.
 */
export function parseView(declaration: Projection, scope: Scope, query: QueryParameters, strict: boolean): View {
  const errors = errorsByName();
  const known = new Set<string>();

  const values = (name: string, repeatable = false): readonly string[] => {
    known.add(name);
    return valuesOf(query, name, repeatable);
  };
  const attempt = <T>(name: string, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      (errors[name] ??= []).push(error.message);
      return otherwise;
    }
  };
  const nameList = (parameter: string, allowed: ReadonlySet<string>): Set<string> => {
    const chosen = new Set<string>();
    const unknown = new Set<string>();
    for (const name of attempt(parameter, () => partsOf(values(parameter, true)), [])) {
      if (allowed.has(name)) chosen.add(name);
      else if (unknown.size < NAMED_UNKNOWN) unknown.add(name);
    }
    if (strict && unknown.size)
      errors[parameter] = [...unknown].map((name) => `"${name}" is unknown. Allowed: ${[...allowed].join(', ')}.`);
    return chosen;
  };

  const includes = nameList('include', new Set(Object.keys(declaration.includes ?? {})));
  const expands = nameList('expand', new Set(Object.keys(declaration.expands ?? {})));
  const excludes = nameList('exclude', fieldNames(declaration));
  excludes.delete('id');
  const switches = new Set<Switch>();
  for (const name of declaration.switches ?? [])
    if (attempt(name, () => values(name).some(parseBoolean), false)) switches.add(name);
  const shape = { includes, expands, excludes, switches };

  const finish = (view: View): View => {
    if (strict)
      for (const name of Object.keys(query))
        if (!known.has(name)) (errors[name] ??= []).push('This query parameter is unknown.');
    if (Object.keys(errors).length) throw new InvalidParameters(errors);
    return view;
  };
  const conditions: Condition[] = [];
  const filtered = new Map<string, readonly string[]>();
  for (const filter of filtersOf(declaration, scope)) {
    for (const [name, parameter] of filter)
      attempt(
        name,
        () => {
          const given = values(name, parameter.repeatable);
          if (!given.length) return;
          conditions.push(parameter.read(given));
          filtered.set(name, given);
        },
        undefined,
      );
    if (![...filter.keys()].some((name) => filtered.has(name)))
      for (const { otherwise } of filter.values()) if (otherwise) conditions.push(otherwise);
  }
  if (scope !== 'list') {
    const usual = !filtered.size && Object.values(shape).every((chosen) => !chosen.size);
    return finish({ ...itemView(), ...shape, usual, conditions, filtered });
  }

  const words = declaration.search ? attempt('search', () => parseWords(values('search')[0]), []) : [];
  const order = attempt('ordering', () => parseOrdering(declaration, values('ordering')[0]), []);
  const size = attempt('page_size', () => parsePageSize(declaration, values('page_size')[0]), undefined);
  if (declaration.stream) {
    const one = <T>(name: string, read: (text: string) => T): T | undefined =>
      attempt(name, () => values(name).map(read)[0], undefined);
    const ends = { from: one('date_from', parseTimestamp), to: one('date_to', parseTimestamp) };
    const cursor = one('cursor', (text) => text);
    const window = { ...ends, cursor, size: size ?? declaration.stream.defaultSize };
    return finish({ ...shape, words, order, conditions, filtered, window });
  }
  const number = attempt('page', () => values('page')[0], undefined);
  const view = finish({ ...shape, words, order, conditions, filtered });
  if (size === undefined && number === undefined && !declaration.paging) return view;
  return { ...view, page: { number: parsePageNumber(number), size: size ?? pagingOf(declaration).defaultSize } };
}

/** More words than anybody searches for: each costs the database another look at every row. */
const MOST_WORDS = 32;

function parseWords(text = ''): string[] {
  const words = [...new Set(text.split(/\s+/))].filter((word) => word !== '');
  if (words.length > MOST_WORDS) throw new InvalidValue(`Ensure this has no more than ${MOST_WORDS} words.`);
  return words;
}

function parseOrdering(declaration: Projection, text = declaration.defaultOrdering): OrderTerm[] {
  if (declaration.stream) {
    if (text === declaration.defaultOrdering) return [];
    throw new InvalidValue(`"${text}" can't be sorted by. Allowed: ${declaration.defaultOrdering}.`);
  }
  const given = text.split(',').map((term) => term.trim());
  const terms = given.map((term) => {
    const descending = term.startsWith('-');
    const name = descending ? term.slice(1) : term;
    if (!Object.hasOwn(declaration.orderings, name))
      throw new InvalidValue(
        `"${term}" can't be sorted by. Allowed: ${Object.keys(declaration.orderings).join(', ')}.`,
      );
    return { name, descending };
  });
  // What is sorted by already can't be sorted by again.
  return terms.filter(({ name }, place) => terms.findIndex((term) => term.name === name) === place);
}

function parsePageSize(declaration: Projection, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,400}$/.test(text) || Number(text) < 1) throw new InvalidValue('A positive integer is required.');
  return Math.min(Number(text), pagingOf(declaration).maximumSize);
}

function parsePageNumber(text = '1'): number {
  const number = Number(text);
  // Far enough for any list, and offsets stay below what PostgreSQL counts to.
  if (!/^\d{1,9}$/.test(text) || number < 1) throw new InvalidPage('Invalid page.');
  return number;
}
