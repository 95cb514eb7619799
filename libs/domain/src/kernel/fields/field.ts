import type { FieldErrors, FieldMessages } from '../domain-errors.js';
import { type FieldCheck, NOT_NULL, type NumberBounds, REQUIRED } from './field-checks.js';
import type { Kind } from '../item-id.js';

/** Options of fields of all types. */
export interface FieldOptions<Optional extends boolean = boolean, Nullable extends boolean = boolean> {
  readonly description?: string;
  readonly example?: unknown;
  /** Whether the field may be left out. */
  readonly optional?: Optional;
  readonly nullable?: Nullable;
  readonly default?: unknown;
  /** Another name that clients may use for the field. */
  readonly alias?: string;
  /** The field only exists if this feature flag is on, or off. Otherwise it is reported as unknown. */
  readonly where?: { readonly flag: string; readonly on: boolean };
}

/** The limits of a text. */
export interface TextLimits {
  /** Unicode code points. */
  readonly maximum?: number;
  /** Whether it may be empty. */
  readonly blank?: boolean;
  /** Validation error of a text within these limits. */
  readonly validate?: (text: string) => string | undefined;
}

interface TextType extends TextLimits {
  readonly type: 'text';
  readonly maximum: number;
  readonly trimmed?: boolean;
  /** The documented minimum length; by default 1 if the text may not be blank. */
  readonly minimum?: number;
  readonly format?: 'date' | 'email' | 'password';
  /** Whether responses may show the referenced item as an object, which requests may send back instead of its id. */
  readonly shownAsObject?: boolean;
}

interface IntegerType extends NumberBounds {
  readonly type: 'integer';
}

interface ChoiceType {
  readonly type: 'choice';
  readonly choices: readonly string[];
}

interface ReferenceType {
  readonly type: 'reference';
  readonly kind: Kind;
}

interface TextListType {
  readonly type: 'texts';
  /** Unicode code points of each text. */
  readonly maximum: number;
  readonly blank: boolean;
  /** Maximum number of entries, in all types of lists. */
  readonly longest: number;
}

interface IntegerListType extends NumberBounds {
  readonly type: 'integers';
  readonly longest: number;
  /** The public catalog that the numbers belong to, which is the same for all organizations. */
  readonly table?: 'cwe' | 'capec';
}

interface ChoiceListType {
  readonly type: 'choices';
  readonly choices: readonly string[];
  readonly longest: number;
  /** Whether empty lists and duplicates are rejected. */
  readonly distinct?: boolean;
}

interface ReferenceListType {
  readonly type: 'references';
  readonly kind: Kind;
  /** Whether the order is irrelevant. */
  readonly unordered?: boolean;
  readonly longest: number;
}

interface ObjectType {
  readonly type: 'object';
  /** Name of the schema in the OpenAPI document. */
  readonly name: string;
  readonly fields: Fields;
}

/** Options of lists of objects. */
export interface ObjectListTraits {
  readonly longest?: number;
  /** The name of the field that a bare value is taken for. */
  readonly shorthand?: (value: string | number) => string;
  /** Read-only fields of an entry in responses; they are accepted and ignored in bodies. */
  readonly readOnlyFields?: readonly string[];
  /** Whether an empty object is accepted as an empty list. */
  readonly emptyObjectIsEmptyList?: boolean;
}

interface ObjectListType extends ObjectListTraits {
  readonly type: 'objects';
  readonly name: string;
  readonly fields: Fields;
  readonly longest: number;
}

/** A JSON value of any structure, stored unchanged. */
interface FreeType {
  readonly type: 'free';
  readonly schema: object;
  /** Returns the errors within an object, if its structure is restricted further. */
  readonly contentErrors?: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined;
}

export type FieldType =
  | TextType
  | IntegerType
  | ChoiceType
  | ReferenceType
  | TextListType
  | IntegerListType
  | ChoiceListType
  | ReferenceListType
  | ObjectType
  | ObjectListType
  | FreeType
  | { readonly type: 'boolean' }
  | { readonly type: 'numeric reference' }
  | { readonly type: 'timestamp' }
  | { readonly type: 'unsettable' };

/** A field: its type and limits, its check, and its documentation. */
export type Field<Value = unknown, Optional extends boolean = boolean> = FieldType &
  FieldOptions & {
    readonly optional: Optional;
    /** Validation error of a value that is neither absent nor null. */
    readonly check: FieldCheck;
    /** Never set; it only carries the type. */
    readonly value?: Value;
  };

/** Validation error of any value of a field, including an absent one and null. */
export function errorOfValue({ optional, nullable, check }: Field, value: unknown): string | undefined {
  if (value === undefined) return optional ? undefined : REQUIRED;
  if (value === null) return nullable ? undefined : NOT_NULL;
  return check(value);
}

/** Validation errors of the fields of an object, by name. */
export const errorsOfFields = (fields: Fields, values: Readonly<Record<string, unknown>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, declared]) => {
      const error = errorOfValue(declared, values[name]);
      return error === undefined ? [] : [[name, [error]]];
    }),
  );

/** A function for each type of field. */
export type ByType<Result> = {
  readonly [Type in Field['type']]: (field: Extract<Field, { readonly type: Type }>) => Result;
};

export const callByType = <Result>(results: ByType<Result>, field: Field): Result =>
  (results[field.type] as (field: Field) => Result)(field);

/** Fields by name, in the order of the documentation. */
export type Fields = Readonly<Record<string, Field>>;

type NamesOf<F extends Fields, Optional extends boolean> = {
  [Name in keyof F]: F[Name]['optional'] extends Optional ? Name : never;
}[keyof F];

type ValueOf<F extends Field> = F extends Field<infer Value> ? Value : never;

/** The same fields, all optional. */
export const optional = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, { ...declared, optional: true }])) as {
    readonly [Name in keyof F]: Field<ValueOf<F[Name]>, true>;
  };

/** The TypeScript type of an input with these fields. */
export type InputOf<F extends Fields> = { readonly [Name in NamesOf<F, false>]: ValueOf<F[Name]> } & {
  readonly [Name in NamesOf<F, true>]?: ValueOf<F[Name]>;
};

/** The type of a field with these options. `Optional` is not inferred from usage, where it would be any boolean. */
export type FieldOf<Value, Optional extends boolean, Nullable extends boolean> = Field<
  Nullable extends true ? Value | null : Value,
  NoInfer<Optional>
>;

/** Creates a field; the constructors of all types use it. */
export const field = <Value, Optional extends boolean, Nullable extends boolean>(
  type: FieldType,
  options: FieldOptions<Optional, Nullable>,
  check: FieldCheck,
): FieldOf<Value, Optional, Nullable> => ({
  ...options,
  ...type,
  optional: (options.optional ?? false) as Optional,
  check,
});
