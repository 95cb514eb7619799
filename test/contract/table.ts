import type { TestApi, TestOrganization } from '../support/api.js';
import type { ApiClient, Json } from '../support/client.js';
import type { FilterContract, Row } from './filters.js';

/** The type of a field. */
export type FieldType =
  | 'anything'
  | 'string'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'user'
  | 'strings'
  | 'integers'
  | 'json'
  | { readonly nullable: FieldType }
  | { readonly shape: RegExp }
  | { readonly oneOf: readonly string[] }
  | { readonly object: Readonly<Record<string, FieldType>> }
  | { readonly list: FieldType };

export type FieldTypes = Readonly<Record<string, FieldType>>;

/** A value to sort by; nulls are last. */
export type SortKey = string | number | bigint | boolean | null;

/** The facts about a resource in the specification. None of them is derived from the code. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  /** The field that identifies items, the form of its values, and a value that does not exist. */
  readonly key: { readonly field: string; readonly shape: RegExp; readonly absent: string };
  /** Methods of the list and of an item; the latter is absent if items have no path. */
  readonly methods: { readonly list: readonly string[]; readonly item?: readonly string[] };
  /** The permission for writing: one for all methods, or one for each. Absent: everyone who may read may write. */
  readonly writers?: string | Readonly<Record<string, string>>;
  /** The permission for reading. Absent: any active user may read. */
  readonly readers?: 'customize_content' | 'edit_connections' | 'super-users';
  /** The permission without which an active user sees less: fields are null, or items are not found. */
  readonly fullView?: 'manage_users' | 'view_all_projects';
  /** The sizes of pages of a list that is always paged. */
  readonly paged?: { readonly defaultSize: number; readonly maximumSize: number };
  /** Fields of a list besides its results. */
  readonly extraFields?: readonly string[];
  /** A field that a PATCH requires. Absent: an empty PATCH is accepted and changes nothing. */
  readonly patchDemands?: string;
  /** `caller` if each caller sees only their own items. Absent: the organization's items are visible. */
  readonly owner?: 'caller';
  readonly fields: FieldTypes;
  /** Fields that change with every read. */
  readonly volatile?: readonly string[];
  readonly includes?: Readonly<Record<string, FieldTypes>>;
  /** Whether the list counts its items by the values of filters, with `include=facets`. */
  readonly facets?: boolean;
  readonly expands?: Readonly<Record<string, FieldTypes>>;
  readonly filters: Readonly<Record<string, FilterContract>>;
  /** Names of filters that a single item supports, too. */
  readonly itemFilters?: readonly string[];
  readonly orderings: Readonly<Record<string, (row: Row) => readonly SortKey[]>>;
  readonly defaultOrdering: string;
  /** The values that `search` searches. */
  readonly search?: (row: Row) => readonly string[];
  readonly switches?: readonly string[];
  /** For items within a parent: the path of the list below another parent. */
  readonly elsewhere?: (parent: string) => string;
  /** A parent without such items; by default `T4`. */
  readonly emptyParent?: string;
  /** Creates a row for each special case that lists must handle. */
  readonly seed?: (test: TestApi, organization: TestOrganization) => Promise<void>;
  /** Adds this many rows. Needed for lists that are always paged, and for one other list. */
  readonly fill?: (test: TestApi, organization: TestOrganization, rows: number) => Promise<unknown>;
  /** Adds values that filters use and responses do not contain. */
  readonly derive?: (test: TestApi) => Promise<(row: Row) => Row>;
  /** A valid body of a POST, and the status of its response. */
  readonly create?: {
    readonly status: 200 | 201;
    readonly body: (api: ApiClient) => Promise<Json>;
    /** Fields whose values in the response differ from those in the request. */
    readonly otherwiseShown?: readonly string[];
  };
  /** Includes that responses to writes always contain. */
  readonly writeIncludes?: readonly string[];
}

/** `T2` before `T10`, built-in before custom. */
export const byId = (row: Row): SortKey[] => {
  const id = String(row['id']);
  return [id.startsWith('C'), Number(/\d+$/.exec(id)?.[0])];
};

/** A text, case-insensitive. */
export const byText =
  (field: string) =>
  (row: Row): SortKey[] => [String(row[field]).toLowerCase()];

/** The unchanged value of a field. */
export const byField =
  (field: string) =>
  (row: Row): SortKey[] => [row[field] as SortKey];
