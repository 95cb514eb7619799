import type { TestApi, TestOrganization } from '../support/api.js';
import { type ApiClient, type Json, rowsOf } from '../support/client.js';
import { userWith } from '../support/factories.js';
import { operationsOf, type Parameter } from '../support/document.js';
import type { List } from '../support/resources.js';
import type { Row } from './filters.js';
import { differences } from './shapes.js';
import type { FieldTypes, Resource } from './table.js';

/** The body of the response for an item that does not exist. */
export const NOT_FOUND = { detail: 'Not found.' };

export type Query = Record<string, string | number | readonly string[]>;

/** A resource whose contract is tested: its rows, and what all rules need. */
export class ResourceUnderTest {
  /** A value of `include` with all includes; empty if there are none. */
  readonly everyInclude: string;
  readonly everyExpand: string;
  /** Rows in the default order, with all includes and all values that filters use. */
  rows: readonly Row[] = [];
  /** A caller who may read, but not write. */
  reader!: ApiClient;
  /** A user of the same organization without any permission. */
  anybody!: ApiClient;
  stranger!: TestOrganization;
  /** What the other organization saw before anything was created here. */
  strangerBefore = '';

  constructor(
    readonly test: TestApi,
    readonly resource: Resource,
  ) {
    this.everyInclude = Object.keys(resource.includes ?? {}).join(',');
    this.everyExpand = Object.keys(resource.expands ?? {}).join(',');
  }

  get first(): Row {
    return this.rows[0] as Row;
  }

  /** Creates the rows and the callers. */
  async prepare(): Promise<void> {
    const { test, resource } = this;
    this.stranger = await test.newOrganization();
    this.strangerBefore = await this.everythingSeenBy(this.stranger);
    await resource.seed?.(test, test.organization);
    this.anybody = (await test.newUser()).api;
    this.reader = resource.owner === 'caller' ? test.api : this.anybody;
    if (resource.readers)
      this.reader = (await test.newUser({ role: 'UR4', superUser: resource.readers === 'super-users' })).api;
    if (resource.fullView) this.reader = (await userWith(test, resource.fullView)).api;
    const derived = (await resource.derive?.(test)) ?? ((row: Row) => row);
    this.rows = (await this.list({ include: this.everyInclude })).map(derived);
    expect(this.rows.length).toBeGreaterThan(2);
  }

  readonly at = (row: Row): string =>
    `${this.resource.path}${encodeURIComponent(String(row[this.resource.key.field]))}/`;

  readonly keysOf = (list: readonly Row[]): Json[] => list.map((row) => row[this.resource.key.field] ?? null);

  readonly list = (query: Query = {}, api = this.test.api): Promise<Row[]> =>
    rowsOf(api.get<List<Row>>(this.resource.path, this.unpaged(query)));

  /** The keys of the rows: filters and orderings need no other fields. */
  readonly listKeys = async (query: Query = {}, api = this.test.api): Promise<Json[]> => {
    const { fields, key } = this.resource;
    const others = Object.keys(fields).filter((field) => field !== key.field && field !== 'id');
    return this.keysOf(await this.list({ ...query, exclude: others.join(',') }, api));
  };

  /** Descriptions of the differences between rows and the types in the table; empty if there are none. */
  readonly mismatches = (rows: readonly Row[], types: FieldTypes): string[] =>
    rows.flatMap((row) =>
      differences(row, types).map((difference) => `${String(row[this.resource.key.field])}: ${difference}`),
    );

  /** All parameters of some filters. */
  readonly parametersOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => (this.resource.filters[name]?.suffixes ?? []).map((suffix) => name + suffix));

  /** The documented query parameters of an operation. */
  readonly queryParametersOf = (method: string, where: string): Parameter[] => {
    const pattern = (documented: string): RegExp => new RegExp(`^${documented.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
    const operation = operationsOf(this.test.document).find(
      (one) => one.method === method && pattern(one.path).test(`/api/v2${where}`),
    );
    return (operation?.operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  };

  readonly everythingSeenBy = async ({ api }: TestOrganization): Promise<string> => {
    const { path, volatile = [] } = this.resource;
    const { everyInclude } = this;
    const exclude = volatile.join(',');
    const included = await api.get(path, this.unpaged({ exclude, ...(everyInclude && { include: everyInclude }) }));
    const expanded = await api.get(path, this.unpaged({ exclude, expand: this.everyExpand }));
    return JSON.stringify([included.body, expanded.body]);
  };

  /** A query for all items, or for the largest page if the list is always paged. */
  private unpaged(query: Query): Query {
    const { paged } = this.resource;
    return paged ? { page_size: paged.maximumSize, ...query } : query;
  }
}
