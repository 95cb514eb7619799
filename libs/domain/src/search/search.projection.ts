import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import type { Filter } from '#query/filter-parameters.js';
import { type Branch, projection } from '#query/projection.js';
import { type QueryContext, resolve, type Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { searchDocument, searchedColumns } from '../kernel/schema/search-document.js';
import { parseSearch, searchQuery } from './search-words.js';
import { SEARCHED_KINDS, type SearchedKind } from './searched-kinds.js';

/** Above every rank that PostgreSQL computes. */
const EXACT_ID_RANK = 1000;
/** A weakness that only the name of one of its CWEs matches. */
const RELATED_NAME_RANK = 0.01;
/** Texts of an excerpt are read up to here. */
const EXCERPT_CHARACTERS = 20_000;
const EXCERPT_FORM = 'MaxFragments=2, MaxWords=30, MinWords=12, StartSel="", StopSel="", FragmentDelimiter=" … "';

const textOf = ({ filtered }: QueryContext): string => filtered.get('q')?.[0] ?? '';
const queryOf = (reading: QueryContext): Sql => searchQuery(parseSearch(textOf(reading)));

/** Rows of one kind as results. */
function results(
  searched: SearchedKind,
  place: number,
  reading: QueryContext,
  found: (document: Sql) => { readonly rank: Sql; readonly where: Sql },
): Branch[] {
  const { title, text = `''` } = searchedColumns(searched.table);
  const { rank, where } = found(sql.raw(searchDocument(searched.table)));
  return searched.source(reading).map((branch) => ({
    table: sql`(
      SELECT ${searched.kind}::text AS kind, ${place}::int AS place, ${searched.id} AS id, ${sql.ref(title)} AS title,
        ${sql.raw(text)} AS text, ${resolve(searched.url, reading)} AS url, ${rank} AS rank
      FROM ${branch.table} item WHERE ${branch.where} AND ${where})`,
    where: sql`true`,
  }));
}

function branchesOf(searched: SearchedKind, place: number, reading: QueryContext): Branch[] {
  const text = textOf(reading).trim();
  const query = queryOf(reading);
  const id = [text, text.toUpperCase()].find((one) => searched.shape.test(one));
  const isId = id === undefined ? sql`false` : sql`${searched.id} = ${id}`;
  const branches = results(searched, place, reading, (document) => ({
    rank: sql`ts_rank(${document}, ${query})`,
    where: sql`${document} @@ ${query} AND NOT ${isId}`,
  }));
  if (id !== undefined)
    branches.push(...results(searched, place, reading, () => ({ rank: sql`${EXACT_ID_RANK}::real`, where: isId })));
  if (searched.kind === 'weakness')
    branches.push(
      ...results(searched, place, reading, (document) => ({
        rank: sql`${RELATED_NAME_RANK}::real`,
        where: sql`NOT ${document} @@ ${query} AND NOT ${isId} AND item.cwes && ARRAY(
          SELECT cwe.id::bigint FROM cwe WHERE ${sql.raw(searchDocument('cwe'))} @@ ${query})`,
      })),
    );
  return branches;
}

/** What is searched for; without it there is nothing to list. */
const searchedText: Filter = {
  '': {
    schema: schema.string({ example: 'SQL injection' }),
    description:
      'What to find: words in any order, "quoted phrases" as they are, the last word also as the beginning of a ' +
      'longer one, or a public id such as T21.',
    required: true,
    read: ([text = '']) => {
      parseSearch(text);
      return () => sql`true`;
    },
  },
};

/** Full-text search over everything that the caller can see, best results first. */
export const searchProjection = projection({
  name: 'SearchResult',
  source: (reading) => SEARCHED_KINDS.flatMap((searched, place) => branchesOf(searched, place, reading)),
  key: { shape: /^$/, column: sql`item.id`, order: [sql`item.place`, sql`length(item.id)`, sql`item.id`] },
  fields: {
    kind: { sql: sql`item.kind`, schema: schema.string({ enum: SEARCHED_KINDS.map(({ kind }) => kind) }) },
    id: { sql: sql`item.id`, schema: schema.string({ example: 'T21' }) },
    title: { sql: sql`item.title`, schema: schema.string() },
    excerpt: {
      sql: (reading) =>
        sql`ts_headline('english', left(item.text, ${EXCERPT_CHARACTERS}), ${queryOf(reading)}, ${EXCERPT_FORM})`,
      schema: schema.string({ description: 'Where the text contains the words; its beginning where it does not.' }),
    },
    url: { sql: sql`item.url`, schema: schema.string({ example: '/library/tasks/T21/' }) },
  },
  filters: {
    q: searchedText,
    kind: filters.choice(
      sql`item.kind`,
      'What kind of item it is.',
      SEARCHED_KINDS.map(({ kind }) => kind),
    ),
  },
  orderings: { relevance: [sql`-item.rank`] },
  defaultOrdering: 'relevance',
  switches: ['absolute_urls'],
  paging: { defaultSize: 25, maximumSize: 100 },
});
