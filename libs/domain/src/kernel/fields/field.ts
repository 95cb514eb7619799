import type { FieldMessages } from '../domain-errors.js';
import type { FieldCheck, NumberBounds } from './field-checks.js';
import type { Kind } from '../item-id.js';

/** What can be said of a field of any type. */
export interface FieldOptions<Optional extends boolean = boolean, Nullable extends boolean = boolean> {
  readonly description?: string;
  readonly example?: unknown;
  /** Whether the field may be left out. */
  readonly optional?: Optional;
  readonly nullable?: Nullable;
  readonly default?: unknown;
  /** Another name that clients send the same field by. */
  readonly alias?: string;
  /** The field exists only where this feature flag is on, or off; elsewhere it is an unknown one. */
  readonly where?: { readonly flag: string; readonly on: boolean };
}

/** The limits of a text. */
export interface TextLimits {
  /** Unicode code points. */
  readonly maximum?: number;
  /** Whether it may be empty. */
  readonly blank?: boolean;
  /** Validation error of a text within these limits. */
  readonly problem?: (text: string) => string | undefined;
}

interface TextType extends TextLimits {
  readonly type: 'text';
  readonly maximum: number;
  readonly trimmed?: boolean;
  /** Characters that the documentation asks for, if not one where the text may not be blank. */
  readonly minimum?: number;
  readonly format?: 'date' | 'email' | 'password';
  /** It names something that answers may show as an object, which is taken for its id. */
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
  /** Entries, if fewer than lists of texts have elsewhere. */
  readonly longest?: number;
}

interface IntegerListType extends NumberBounds {
  readonly type: 'integers';
  readonly longest: number;
  /** The public table that the numbers are of, which is the same everywhere. */
  readonly table?: 'cwe' | 'capec';
}

interface ChoiceListType {
  readonly type: 'choices';
  readonly choices: readonly string[];
  /** Whether the list may not be empty and names nothing twice. */
  readonly distinct?: boolean;
}

interface ReferenceListType {
  readonly type: 'references';
  readonly kind: Kind;
  /** Whether the order says nothing. */
  readonly unordered?: boolean;
}

interface ObjectType {
  readonly type: 'object';
  /** What the document of the API calls such an object. */
  readonly name: string;
  readonly fields: Fields;
}

/** What can be said of a list of objects. */
export interface ObjectListTraits {
  readonly longest?: number;
  /** The field of an entry that a bare value stands for. */
  readonly shorthand?: (value: string | number) => string;
  /** What answers show of an entry besides its fields: bodies may bring it back. */
  readonly shown?: readonly string[];
  /** Whether an empty object is taken for an empty list. */
  readonly noneAsObject?: boolean;
}

interface ObjectListType extends ObjectListTraits {
  readonly type: 'objects';
  readonly name: string;
  readonly fields: Fields;
  readonly longest: number;
}

/** A value whose inside is the caller's. It is kept as it is. */
interface FreeType {
  readonly type: 'free';
  readonly schema: object;
  /** What is wrong inside of an object, where more than its shape can be. */
  readonly inside?: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined;
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

/** A field: its type and limits, how a value is checked, and how it is documented. */
export type Field<Value = unknown, Optional extends boolean = boolean> = FieldType &
  FieldOptions & {
    readonly optional: Optional;
    /** Validation error of a value that is neither absent nor null. */
    readonly check: FieldCheck;
    /** Never there: it carries the type. */
    readonly value?: Value;
  };

/** A function for each type of field. */
export type ByType<Result> = {
  readonly [Type in Field['type']]: (field: Extract<Field, { readonly type: Type }>) => Result;
};

/** Calls the function for the type of a field. */
export const ofType = <Result>(results: ByType<Result>, field: Field): Result =>
  (results[field.type] as (field: Field) => Result)(field);

/** Fields by name, in the order of the documentation. */
export type Fields = Readonly<Record<string, Field>>;

type NamesOf<F extends Fields, Optional extends boolean> = {
  [Name in keyof F]: F[Name]['optional'] extends Optional ? Name : never;
}[keyof F];

type ValueOf<F extends Field> = F extends Field<infer Value> ? Value : never;

/** The same fields, none of them required. */
export const optional = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, { ...declared, optional: true }])) as {
    readonly [Name in keyof F]: Field<ValueOf<F[Name]>, true>;
  };

/** What a client gives that fills in the fields. */
export type InputOf<F extends Fields> = { readonly [Name in NamesOf<F, false>]: ValueOf<F[Name]> } & {
  readonly [Name in NamesOf<F, true>]?: ValueOf<F[Name]>;
};

/** A field by its options. Whether it is optional is never inferred from its use, which knows only a boolean. */
export type FieldOf<Value, Optional extends boolean, Nullable extends boolean> = Field<
  Nullable extends true ? Value | null : Value,
  NoInfer<Optional>
>;

/** A field of a type; the constructors of all types are made of it. */
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
