import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#query/projection.js';
import type { Row } from '../formats/format-writer.js';
import type { Column, ColumnType } from '../models/content-model.js';

/** The values of a row by column, each as PostgreSQL writes it. */
type Texts = Readonly<Record<string, string | null>>;

/** Rows of a model as texts: PostgreSQL takes twice as long to write a row as one JSON text. */
export const textsOf = (columns: readonly Column[], rows: Sql): RawBuilder<Texts> =>
  sql<Texts>`SELECT ${sql.join(columns.map(({ name }) => sql`${sql.ref(`r.${name}`)}::text`))} FROM (${rows}) r`;

const nested = (json: string) => ({ json });

const VALUES: Readonly<Record<ColumnType, (text: string) => Row[number]>> = {
  text: (text) => text,
  timestamp: (text) => text,
  integer: Number,
  boolean: (text) => text === 'true',
  list: nested,
  json: nested,
};

/** A row as writers of files take it. */
export const rowOf = (columns: readonly Column[], texts: Texts): Row =>
  columns.map(({ name, type }) => {
    const text = texts[name] ?? null;
    return text === null ? null : VALUES[type](text);
  });
