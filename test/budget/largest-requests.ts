import type { Json } from '../support/client.js';
import {
  dereferenced,
  type JsonSchema,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
} from '../support/document.js';
import { formOf } from '../support/imports.js';
import { filled, idsAt, namesIn } from '../property/places.js';
import type { Pool } from '../property/values.js';
import { LargestValues } from './largest-values.js';

type PathOperation = ReturnType<typeof operationsOf>[number];

/** A request in the form in which it is sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** How a field of a body is filled: as large as possible, with its example or an id, or not at all. */
type Size = 'largest' | 'plain' | 'absent';

const NEXT_SIZE = { largest: 'plain', plain: 'absent', absent: 'absent' } as const;

/** A limit on the length of a list that the document does not state. */
const LIST_LIMIT = /^Ensure this field has no more than (\d+) elements\.$/;

/** Bytes of an uploaded file. */
const FILE_BYTES = 4_000_000;

const inPath = (path: string, pool: Pool, item: number): string =>
  filled(
    path,
    namesIn(path).map((name, index, names) => {
      const ids = idsAt(pool, path, name);
      return encodeURIComponent(String(ids[index === names.length - 1 ? item % ids.length : 0] ?? 1));
    }),
  );

const choicesOf = ({ schema }: Parameter, document: OpenApiDocument): readonly Json[] => {
  const { items = schema } = schema;
  return (dereferenced(items as JsonSchema, document)['enum'] as Json[] | undefined) ?? [];
};

/** All includes and expands, texts as HTML, and what is required. */
function largestQuery({ operation }: PathOperation, document: OpenApiDocument, pool: Pool, pageSize?: number): string {
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const { name, schema, required } = parameter;
    if (parameter.in !== 'query') continue;
    if (name === 'include' || name === 'expand') query.set(name, choicesOf(parameter, document).join(','));
    else if (name === 'to_html') query.set(name, 'true');
    else if (name === 'page_size' && pageSize) query.set(name, String(pageSize));
    else if (required)
      query.set(name, String(pool[name]?.[0] ?? schema['example'] ?? choicesOf(parameter, document)[0]));
  }
  return query.size ? `?${query}` : '';
}

/** Reads of an operation: the list without pages, and the largest page. */
export function largestReads(at: PathOperation, document: OpenApiDocument, pool: Pool): Sent[] {
  const isPaged = at.operation.parameters?.some(({ name }) => name === 'page_size') ?? false;
  return [undefined, ...(isPaged ? [10_000] : [])].map((pageSize) => ({
    method: at.method,
    path: inPath(at.path, pool, 0) + largestQuery(at, document, pool, pageSize),
    headers: {},
  }));
}

/** Writes of an operation, from the largest that its schema allows to one whose rejected fields are smaller. */
export class LargestWrite {
  private readonly sizes = new Map<string, Size>();
  private readonly listLimits = new Map<string, number>();
  private readonly schema: JsonSchema | undefined;
  private readonly isForm: boolean;

  constructor(
    readonly at: PathOperation,
    private readonly document: OpenApiDocument,
    private readonly pool: Pool,
    private readonly maxBodyBytes: number,
  ) {
    const { content = {} } = at.operation.requestBody ?? {};
    const [[type, media] = []] = Object.entries(content);
    this.isForm = type === 'multipart/form-data';
    this.schema = media && {
      ...dereferenced(media.schema, document),
      ...(media.example !== undefined && { example: media.example }),
    };
  }

  /** The request for one of the items that the path may name. */
  request(item: number): Sent {
    const { method } = this.at;
    const path = inPath(this.at.path, this.pool, item) + largestQuery(this.at, this.document, this.pool);
    if (!this.schema) return { method, path, headers: {} };
    if (this.isForm) return { method, path, ...this.form() };
    return { method, path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(this.body()) };
  }

  /** Makes the fields smaller that a 400 rejects, or else all of them. Returns whether anything was left to shrink. */
  shrink(rejection: Json): boolean {
    const rejected = rejection !== null && typeof rejection === 'object' ? Object.entries(rejection) : [];
    const own = rejected.filter(([name]) => name in this.properties);
    const fields = own.length ? own : Object.keys(this.properties).map((name): [string, Json] => [name, null]);
    return fields.map(([name, messages]) => this.shrinkField(name, messages)).includes(true);
  }

  private shrinkField(name: string, messages: Json): boolean {
    const message = Array.isArray(messages) ? messages[0] : undefined;
    const limit = typeof message === 'string' ? LIST_LIMIT.exec(message)?.[1] : undefined;
    if (limit !== undefined && !this.listLimits.has(name)) {
      this.listLimits.set(name, Number(limit));
      return true;
    }
    const size = this.sizes.get(name) ?? 'largest';
    this.sizes.set(name, NEXT_SIZE[size]);
    return size !== NEXT_SIZE[size];
  }

  private get properties(): Readonly<Record<string, JsonSchema>> {
    return (this.schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  }

  private body(): Json {
    const values = new LargestValues(this.document, this.pool, this.maxBodyBytes);
    const required = (this.schema?.['required'] ?? []) as string[];
    const examples = (this.schema?.['example'] ?? {}) as Record<string, Json>;
    const fields = Object.entries(this.properties).flatMap(([name, schema]): [string, Json][] => {
      const size = this.sizes.get(name) ?? 'largest';
      if (size === 'largest') return [[name, values.of(this.limited(schema, name), name)]];
      if (size === 'absent' && !required.includes(name)) return [];
      const { example, type } = dereferenced(schema, this.document);
      const known = type === 'array' ? (this.pool[name] as Json[] | undefined) : this.pool[name]?.[0];
      return [[name, known ?? examples[name] ?? example ?? values.of(schema, name)]];
    });
    return Object.fromEntries(fields);
  }

  private limited(schema: JsonSchema, name: string): JsonSchema {
    const maxItems = this.listLimits.get(name);
    return maxItems === undefined ? schema : { ...dereferenced(schema, this.document), maxItems };
  }

  private form(): Pick<Sent, 'headers' | 'body'> {
    const parts = Object.entries(this.properties).map(([name, schema]) => {
      const content = String(this.pool[name]?.[0] ?? '');
      const isXml = content.startsWith('<');
      if (schema['format'] !== 'binary') return { name, content };
      // White space does not change the meaning of either format.
      const padded = content.slice(0, -1) + ' '.repeat(FILE_BYTES) + content.slice(-1);
      return { name, content: padded, fileName: isXml ? 'report.xml' : 'standard.json' };
    });
    const { raw, headers } = formOf(parts);
    return { headers, body: raw };
  }
}
