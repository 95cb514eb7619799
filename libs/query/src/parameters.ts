import { entryOf } from './entry-of.js';
import { InvalidPage, InvalidParameters, InvalidValue } from './errors.js';
import type { FilterCondition } from './filter-parameters.js';
import { fieldNames, type Projection, type Switch } from './projection.js';
import { filtersOf, includesOf, type NamedFilter, pagingOf, type RouteScope } from './route-scope.js';
import { type FacetSearch, facetSearchParser, parseWords } from './search-parameters.js';
import { choiceType, parseBoolean, parseTimestamp, parseUpperBound, splitCommaList } from './values.js';

/** The query parameters of a request; a repeated name has several values. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One term of `ordering`. */
export interface OrderTerm {
  readonly name: string;
  readonly descending: boolean;
}

/** The checked parameters of a request to a projection. */
export interface ParsedQuery {
  /** For one item: whether the client has sent no parameters. Most requests are such, so the statement is prepared. */
  readonly isDefault?: boolean;
  readonly includes: ReadonlySet<string>;
  readonly expands: ReadonlySet<string>;
  readonly excludes: ReadonlySet<string>;
  readonly switches: ReadonlySet<Switch>;
  readonly conditions: readonly FilterCondition[];
  /** The given filter values, by parameter. */
  readonly filterValues: ReadonlyMap<string, readonly string[]>;
  readonly searchWords: readonly string[];
  /** The facet whose values are searched, and the words that each of them must contain. */
  readonly facetSearch?: FacetSearch;
  readonly order: readonly OrderTerm[];
  /** Absent if the list is not paged. Numbers start at 1. */
  readonly page?: { readonly number: number; readonly size: number };
  /** Whether the request does not ask for a page, but the list has one by default. */
  readonly isDefaultPage?: boolean;
  /** For a stream: the requested window, the page size, and the cursor as text. */
  readonly window?: StreamWindow;
}

/** The parameters of a page of a stream; undefined if not given. */
export interface StreamWindow {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly cursor: string | undefined;
  readonly size: number;
}

/** The parsed query of a request for one item without parameters. */
export const DEFAULT_ITEM_QUERY: ParsedQuery = {
  isDefault: true,
  includes: new Set(),
  expands: new Set(),
  excludes: new Set(),
  switches: new Set(),
  conditions: [],
  filterValues: new Map(),
  searchWords: [],
  order: [],
};

/** Has no prototype, since a parameter may be called `__proto__`. */
const errorsByName = (): Record<string, string[]> => Object.create(null) as Record<string, string[]>;

/** Reads the parameters of one request by name, and collects all errors. */
class ParameterReader {
  private readonly errors = errorsByName();
  private readonly readNames = new Set<string>();

  constructor(
    private readonly query: QueryParameters,
    private readonly strict: boolean,
    private readonly ignored: Set<string>,
  ) {}

  /**
   * Passes the values of a parameter to `make`. Records the error and returns `otherwise` if it throws `InvalidValue`.
   */
  read<T>(name: string, make: (values: readonly string[]) => T, otherwise: T, repeatable = false): T {
    this.readNames.add(name);
    try {
      return make(this.values(name, repeatable));
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      (this.errors[name] ??= []).push(error.message);
      return otherwise;
    }
  }

  /** Whether a parameter is present, even if it is empty. */
  isPresent(name: string): boolean {
    this.readNames.add(name);
    return this.query[name] !== undefined;
  }

  /** The allowed names among those in a comma-separated parameter. With `strict`, unknown names are errors. */
  names(parameter: string, allowedNames: () => Iterable<string>): Set<string> {
    const requestedNames = this.read(parameter, splitCommaList, [], true);
    const selected = new Set<string>();
    if (!requestedNames.length) return selected;
    const allowed = new Set(allowedNames());
    const unknown = new Set<string>();
    for (const name of requestedNames) {
      if (allowed.has(name)) selected.add(name);
      else unknown.add(name);
    }
    if (!this.strict) for (const name of unknown) this.ignored.add(name);
    else if (unknown.size) {
      const choices = [...allowed].join(', ');
      this.errors[parameter] = Array.from(unknown, (name) => `"${name}" is unknown. Allowed: ${choices}.`);
    }
    return selected;
  }

  /**
   * Throws `InvalidParameters` with all errors. Parameters that were never read are ignored, or with `strict` are
   * errors too.
   */
  throwIfInvalid(): void {
    for (const name of Object.keys(this.query)) {
      if (this.readNames.has(name)) continue;
      if (this.strict) (this.errors[name] ??= []).push('This query parameter is unknown.');
      else this.ignored.add(name);
    }
    if (Object.keys(this.errors).length) throw new InvalidParameters(this.errors);
  }

  /**
   * The values of a parameter, in NFC like the stored names that they are compared with. Empty values are dropped,
   * because clients send empty parameters for "not set".
   */
  private values(name: string, repeatable: boolean): readonly string[] {
    const raw = this.query[name];
    const all = raw === undefined ? [] : typeof raw === 'string' ? [raw] : raw;
    if (all.length > 1 && !repeatable) throw new InvalidValue('This parameter may be given only once.');
    return all.filter((value) => value !== '').map((value) => value.normalize('NFC'));
  }
}

/** The query parameters of a route without a projection. */
export interface RouteParameters {
  /** The boolean parameters that are true. */
  readonly options: ReadonlySet<string>;
  /** The values of the parameters that accept one of a closed set. */
  readonly selected: ReadonlyMap<string, string>;
}

/**
 * Checks the query parameters of a route without a projection: `options` are booleans, `choices` accept one of a closed
 * set and default to its first value. Adds the names that it ignores to `ignored`. Throws `InvalidParameters`.
 */
export function parseOptions(
  options: readonly string[],
  choices: Readonly<Record<string, { readonly values: readonly [string, ...string[]] }>>,
  query: QueryParameters,
  strict: boolean,
  ignored: Set<string>,
): RouteParameters {
  const reader = new ParameterReader(query, strict, ignored);
  const trueOptions = new Set(
    options.filter((name) => reader.read(name, (values) => values.some(parseBoolean), false)),
  );
  const selected = new Map<string, string>();
  for (const [name, { values: allowed }] of Object.entries(choices)) {
    const [first] = allowed;
    selected.set(
      name,
      reader.read(name, ([value = first]) => choiceType(allowed).parse(value), first),
    );
  }
  reader.throwIfInvalid();
  return { options: trueOptions, selected };
}

/** The parsed queries of requests without parameters. */
const defaultQueries = new WeakMap<Projection, Map<RouteScope, ParsedQuery>>();

/**
 * Checks the query parameters of a request against a projection. `strict` rejects what is otherwise ignored: unknown
 * parameters and unknown include, expand and exclude values, whose names are added to `ignored`. Throws
 * `InvalidParameters` with all errors, or `InvalidPage`.
 */
export function parseQuery(
  declaration: Projection,
  scope: RouteScope,
  query: QueryParameters,
  strict: boolean,
  ignored: Set<string> = new Set(),
): ParsedQuery {
  const reader = new ParameterReader(query, strict, ignored);
  if (Object.keys(query).length) return readQuery(reader, declaration, scope);
  const ofProjection = entryOf(defaultQueries, declaration, () => new Map<RouteScope, ParsedQuery>());
  return entryOf(ofProjection, scope, () => readQuery(reader, declaration, scope));
}

function readQuery(reader: ParameterReader, declaration: Projection, scope: RouteScope): ParsedQuery {
  // Errors are reported in the order in which parameters are read.
  const shape = readFieldSelection(reader, declaration, scope);
  const filters = readFilters(reader, filtersOf(declaration, scope));
  if (scope !== 'list') {
    reader.throwIfInvalid();
    const isDefault = !filters.filterValues.size && Object.values(shape).every((selected) => !selected.size);
    return { ...DEFAULT_ITEM_QUERY, ...shape, ...filters, isDefault };
  }
  const searchWords = declaration.search ? reader.read('search', ([text]) => parseWords(text), []) : [];
  const facetSearch =
    declaration.facets && reader.read('facet_search', facetSearchParser(declaration.facets, shape.includes), undefined);
  const order = reader.read('ordering', (values) => parseOrdering(declaration, values), [], true);
  const size = reader.read('page_size', ([text]) => parsePageSize(declaration, text), undefined);
  const parsed = { ...shape, ...filters, searchWords, ...(facetSearch && { facetSearch }), order };
  if (declaration.stream) {
    const window = readWindow(reader, size ?? declaration.stream.defaultSize);
    reader.throwIfInvalid();
    return { ...parsed, window, isDefaultPage: size === undefined && window.cursor === undefined };
  }
  const number = reader.read('page', ([text]) => text, undefined);
  reader.throwIfInvalid();
  const isDefaultPage = size === undefined && number === undefined;
  if (isDefaultPage && !declaration.paging) return parsed;
  return {
    ...parsed,
    isDefaultPage,
    page: { number: parsePageNumber(number), size: size ?? pagingOf(declaration).defaultSize },
  };
}

/** Reads the parameters that select the fields of each row. */
function readFieldSelection(
  reader: ParameterReader,
  declaration: Projection,
  scope: RouteScope,
): Pick<ParsedQuery, 'includes' | 'expands' | 'excludes' | 'switches'> {
  const includes = reader.names('include', () => includesOf(declaration, scope));
  const expands = reader.names('expand', () => Object.keys(declaration.expands ?? {}));
  const excludes = reader.names('exclude', () => fieldNames(declaration));
  excludes.delete('id');
  const switches = new Set<Switch>();
  for (const name of declaration.switches ?? [])
    if (reader.read(name, (values) => values.some(parseBoolean), false)) switches.add(name);
  return { includes, expands, excludes, switches };
}

/** Reads the filters: the conditions of those that are given, and the default conditions of the others. */
function readFilters(
  reader: ParameterReader,
  filters: ReadonlyMap<string, NamedFilter>,
): Pick<ParsedQuery, 'conditions' | 'filterValues'> {
  const conditions: FilterCondition[] = [];
  const filterValues = new Map<string, readonly string[]>();
  for (const [filter, parameters] of filters) {
    const before = filterValues.size;
    for (const [name, parameter] of parameters) {
      if (!reader.isPresent(name) && !parameter.required) continue;
      const take = (values: readonly string[]): void => {
        if (!values.length && parameter.required) throw new InvalidValue('This query parameter is required.');
        if (!values.length) return;
        conditions.push({ filter, holds: parameter.read(values) });
        filterValues.set(name, values);
      };
      reader.read(name, take, undefined, parameter.repeatable);
    }
    if (filterValues.size > before) continue;
    for (const { defaultCondition: holds } of parameters.values()) if (holds) conditions.push({ filter, holds });
  }
  return { conditions, filterValues };
}

/** Reads the parameters of a page of a stream. */
function readWindow(reader: ParameterReader, size: number): StreamWindow {
  const time = (name: string, parse: (text: string) => string): string | undefined =>
    reader.read(name, (values) => values.map(parse)[0], undefined);
  return {
    from: time('date_from', parseTimestamp),
    to: time('date_to', parseUpperBound),
    cursor: reader.read('cursor', ([text]) => text, undefined),
    size,
  };
}

function parseOrdering(declaration: Projection, values: readonly string[]): OrderTerm[] {
  const { defaultOrdering } = declaration;
  const givenTerms = splitCommaList(values);
  const requestedTerms = givenTerms.length ? givenTerms : splitCommaList([defaultOrdering]);
  if (declaration.stream) {
    const other = requestedTerms.find((term) => term !== defaultOrdering);
    if (other === undefined) return [];
    throw new InvalidValue(`Cannot sort by "${other}". Allowed: ${defaultOrdering}.`);
  }
  const terms = requestedTerms.map((term) => {
    const descending = term.startsWith('-');
    const name = descending ? term.slice(1) : term;
    if (!Object.hasOwn(declaration.orderings, name))
      throw new InvalidValue(`Cannot sort by "${term}". Allowed: ${Object.keys(declaration.orderings).join(', ')}.`);
    return { name, descending };
  });
  // Only the first of several terms with the same name has an effect.
  return terms.filter(({ name }, index) => terms.findIndex((term) => term.name === name) === index);
}

function parsePageSize(declaration: Projection, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,400}$/.test(text) || Number(text) < 1) throw new InvalidValue('A positive integer is required.');
  return Math.min(Number(text), pagingOf(declaration).maximumSize);
}

function parsePageNumber(text = '1'): number {
  const number = Number(text);
  // Nine digits suffice for any list and keep the offset within PostgreSQL's bigint.
  if (!/^\d{1,9}$/.test(text) || number < 1) throw new InvalidPage('Invalid page.');
  return number;
}
