import type { TestApi, TestOrganization } from '../support/api.js';
import type { ApiClient, Json } from '../support/client.js';
import type { FilterContract, Row } from './filters.js';

/** What a field holds. */
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

/** A value to sort by; null stands last. */
export type SortKey = string | number | bigint | boolean | null;

/** What the specification says of one resource. Nothing in it is taken from the code. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  /** The field that tells items apart, and how its values look. */
  readonly key: { readonly field: string; readonly shape: RegExp; readonly absent: string };
  /** Methods of the list, and of one item; none where items have no path. */
  readonly methods: { readonly list: readonly string[]; readonly item?: readonly string[] };
  /** The permission that writes take: one, or one for each method. Absent: whoever may read may write. */
  readonly writers?: string | Readonly<Record<string, string>>;
  /** The permission that reads take, too. Absent: any active user reads. */
  readonly readers?: 'customize_content' | 'edit_connections' | 'super-users';
  /** The permission without which an active user sees less: fields are null, or items are not found. */
  readonly fullView?: 'manage_users' | 'view_all_projects';
  /** The sizes of pages of a list that is always paged. */
  readonly paged?: { readonly defaultSize: number; readonly maximumSize: number };
  /** What a list has besides its results. */
  readonly extraFields?: readonly string[];
  /** A field without which a PATCH is refused. Absent: a PATCH with nothing in it changes nothing. */
  readonly patchDemands?: string;
  /** What is seen is the organization's, or the caller's alone. */
  readonly owner?: 'caller';
  readonly fields: FieldTypes;
  /** Fields that change by being looked at. */
  readonly volatile?: readonly string[];
  readonly includes?: Readonly<Record<string, FieldTypes>>;
  readonly expands?: Readonly<Record<string, FieldTypes>>;
  readonly filters: Readonly<Record<string, FilterContract>>;
  /** Names of filters that a single item takes, too. */
  readonly itemFilters?: readonly string[];
  readonly orderings: Readonly<Record<string, (row: Row) => readonly SortKey[]>>;
  readonly defaultOrdering: string;
  /** What `search` looks at. */
  readonly search?: (row: Row) => readonly string[];
  readonly switches?: readonly string[];
  /** Where items exist within another one: the same path below one that does not exist, or is of another shape. */
  readonly elsewhere?: (parent: string) => string;
  /** A parent that has no such items; `T4` where none is named. */
  readonly emptyParent?: string;
  /** Makes a row for each of the special cases that lists must cope with. */
  readonly seed?: (test: TestApi, organization: TestOrganization) => Promise<void>;
  /** Further columns that filters look at and answers do not show. */
  readonly derive?: (test: TestApi) => Promise<(row: Row) => Row>;
  /** A body that makes an item, and what a POST of it answers. */
  readonly create?: {
    readonly status: 200 | 201;
    readonly body: (api: ApiClient) => Promise<Json>;
    /** Fields that the answer shows in another form than they are sent in. */
    readonly otherwiseShown?: readonly string[];
  };
  /** Fields that answers to writes have beyond a GET's. */
  readonly writeIncludes?: readonly string[];
}

/** `T2` before `T10`, built-in before custom. */
export const byId = (row: Row): SortKey[] => {
  const id = String(row['id']);
  return [id.startsWith('C'), Number(/\d+$/.exec(id)?.[0])];
};

/** A text without regard to case. */
export const byText =
  (field: string) =>
  (row: Row): SortKey[] => [String(row[field]).toLowerCase()];

/** A field as it is. */
export const byField =
  (field: string) =>
  (row: Row): SortKey[] => [row[field] as SortKey];
