import type { TestApi, TestOrganization } from '../support/api.js';
import { type ApiClient, type Json, rowsOf } from '../support/client.js';
import { userWith } from '../support/factories.js';
import { operationsOf, type Parameter } from '../support/document.js';
import type { List } from '../support/resources.js';
import type { Row } from './filters.js';
import { differences } from './shapes.js';
import type { FieldTypes, Resource } from './table.js';

/** What is answered of an item that is not there. */
export const NOT_FOUND = { detail: 'Not found.' };

export type Query = Record<string, string | number | readonly string[]>;

/** A resource that is checked against its contract: what all rules ask of it, and the rows that they look at. */
export class ResourceUnderTest {
  /** All includes, as `include` takes them; empty where there are none. */
  readonly everyInclude: string;
  readonly everyExpand: string;
  /** Rows in the default order, with all includes and what filters look at. */
  rows: readonly Row[] = [];
  /** May read, and no more. */
  reader!: ApiClient;
  /** A user of the same organization without any permission. */
  anybody!: ApiClient;
  stranger!: TestOrganization;
  /** What another organization saw before anything was made here. */
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

  /** Makes the rows, and those who look at them. */
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

  /** Only the keys: what else a row has is of no interest to filters and orderings. */
  readonly listKeys = async (query: Query = {}, api = this.test.api): Promise<Json[]> => {
    const { fields, key } = this.resource;
    const others = Object.keys(fields).filter((field) => field !== key.field && field !== 'id');
    return this.keysOf(await this.list({ ...query, exclude: others.join(',') }, api));
  };

  /** What of some rows is not as the table says, in words; nothing where all is. */
  readonly misfits = (rows: readonly Row[], types: FieldTypes): string[] =>
    rows.flatMap((row) =>
      differences(row, types).map((difference) => `${String(row[this.resource.key.field])}: ${difference}`),
    );

  /** All parameters of some filters. */
  readonly parametersOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => (this.resource.filters[name]?.suffixes ?? []).map((suffix) => name + suffix));

  /** The query parameters that the document gives an operation. */
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
