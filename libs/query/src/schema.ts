/** The part of an OpenAPI 3.0 schema that projections and filters declare. */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  format?: string;
  /** Name of the schema in the document, if several others contain it. */
  title?: string;
  description?: string;
  example?: unknown;
  enum?: readonly (string | number | null)[];
  nullable?: boolean;
  deprecated?: boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
}

type Extra = Omit<Schema, 'type'>;

export const string = (extra: Extra = {}): Schema => ({ type: 'string', ...extra });

/** A CommonMark text. `to_html=true` renders all fields with this format. */
export const markdown = (extra: Extra = {}): Schema => ({ type: 'string', format: 'markdown', ...extra });

export const integer = (extra: Extra = {}): Schema => ({ type: 'integer', ...extra });

export const boolean = (extra: Extra = {}): Schema => ({ type: 'boolean', ...extra });

/** ISO 8601 with microseconds and an offset. */
export const timestamp = (extra: Extra = {}): Schema => ({
  type: 'string',
  format: 'date-time',
  example: '2026-03-04T15:43:51.615743+00:00',
  ...extra,
});

export const list = (items: Schema, extra: Extra = {}): Schema => ({ type: 'array', items, ...extra });

/** An object in which all of `properties` are required. */
export const object = (properties: Readonly<Record<string, Schema>>, extra: Extra = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...extra,
});

/** The same schema, or null, which an enum has to list as well. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  ...(schema.enum && { enum: [...schema.enum, null] }),
  nullable: true,
});

/** One of several schemas: a field that an include or expand turns into something else. */
export const either = (...schemas: Schema[]): Schema => ({ anyOf: schemas });
