import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import type { Filter } from '#query/filter-parameters.js';
import { type Branch, projection } from '#query/projection.js';
import { type QueryContext, resolve, type Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { builtInOrCustom } from '../kernel/built-in.sql.js';
import { NUMERIC_ID } from '../kernel/item-id.js';
import { searchedColumns, type SearchedTable } from '../kernel/schema/search-document.js';
import { visible } from '../library/customization/customization.sql.js';
import { parseSearch, searchParts, searchQuery } from './search-words.js';
import { CWE_PREFIX, idIn, SEARCHED_KINDS, type SearchedKind } from './searched-kinds.js';

/** Higher than every rank that PostgreSQL computes. */
const EXACT_ID_RANK = 1000;
/** For a section that is searched by framework and code: "PCI DSS 8.3.1". Higher than every computed rank too. */
const EXACT_SECTION_RANK = 500;
/** For a section that is searched by framework and title. */
const NAMED_SECTION_RANK = 0.02;
/** For an item that only matches by a related name, such as that of a CWE. */
const RELATED_NAME_RANK = 0.01;
/** Excerpts are made from this many characters. */
const EXCERPT_CHARACTERS = 20_000;
const EXCERPT_FORM = 'MaxFragments=2, MaxWords=30, MinWords=12, StartSel="", StopSel="", FragmentDelimiter=" … "';

const textOf = ({ filterValues }: QueryContext): string => filterValues.get('q')?.[0] ?? '';
const queryOf = (context: QueryContext): Sql => searchQuery(parseSearch(textOf(context)));

/** Selects the matching rows of one kind as results. */
function results(
  searched: SearchedKind,
  kindIndex: number,
  context: QueryContext,
  { rank, where }: { readonly rank: Sql; readonly where: Sql },
): Branch[] {
  const { title, text = `''` } = searchedColumns(searched.table);
  return searched.source(context).map((branch) => ({
    table: sql`(
      SELECT ${searched.kind}::text AS kind, ${kindIndex}::int AS place, ${searched.id} AS id,
        ${sql.ref(title)} AS title, ${sql.raw(text)} AS text, ${resolve(searched.url, context)} AS url, ${rank} AS rank
      FROM ${branch.table} item WHERE ${branch.where} AND ${where})`,
    where: sql`true`,
  }));
}

/** The CWEs that a search finds: by their titles, or the one that it names as `CWE-89`. */
function cwesOf(context: QueryContext): Sql {
  const text = textOf(context).trim();
  const cweNumber = CWE_PREFIX.test(text) ? idIn(text, { shape: NUMERIC_ID, prefix: CWE_PREFIX }) : undefined;
  return sql`ARRAY(
    SELECT cwe.id::bigint FROM cwe WHERE cwe.document @@ ${queryOf(context)}
    ${cweNumber === undefined ? sql`` : sql`UNION ALL SELECT ${cweNumber}::bigint`})`;
}

/**
 * Sections that are searched together with their framework: the framework's name matches some of the words, and the
 * section all others. Sections that match all words themselves are excluded.
 */
function namedSections(context: QueryContext): Sql {
  const parts = searchParts(parseSearch(textOf(context)));
  if (parts.length < 2) return sql`SELECT NULL::bigint WHERE false`;
  return sql`SELECT s.id FROM regulation r
    CROSS JOIN LATERAL (
      SELECT (string_agg('(' || part::text || ')', ' & ') FILTER (WHERE NOT named))::tsquery AS query
      FROM (SELECT part, r.document @@ part AS named
        FROM unnest(ARRAY[${sql.join(parts)}]) AS part WHERE numnode(part) > 0) words
      HAVING bool_or(named)) others
    JOIN regulation_section s ON s.regulation_id = r.id
      AND s.document @@ others.query
    WHERE ${builtInOrCustom('r', context)} AND ${builtInOrCustom('s', context)}`;
}

/** Items of a table that match by related names; undefined if the table has none. */
function relatedItems(
  table: SearchedTable,
  context: QueryContext,
): { readonly rank: Sql; readonly where: Sql } | undefined {
  const rank = sql`${RELATED_NAME_RANK}::real`;
  if (table === 'regulation_section') {
    const codes = textOf(context).toUpperCase().split(/\s+/);
    return {
      rank: sql`CASE
        WHEN upper(item.code) = ANY(${codes}) OR regexp_replace(item.code, '^[A-Za-z]+', '') = ANY(${codes})
        THEN ${EXACT_SECTION_RANK} ELSE ${NAMED_SECTION_RANK} END::real`,
      where: sql`item.id IN (${namedSections(context)})`,
    };
  }
  if (table === 'weakness_version') return { rank, where: sql`item.cwes && ${cwesOf(context)}` };
  if (table !== 'countermeasure_version') return undefined;
  return {
    rank,
    where: sql`(
      item.weakness_id IN (SELECT w.weakness_id FROM weakness_version w WHERE w.cwes && ${cwesOf(context)}
        AND ${visible('weakness', 'w', context.organization)})
      OR item.countermeasure_id IN (SELECT n.countermeasure_id FROM regulation_section_countermeasure n
        WHERE n.section_id IN (${namedSections(context)})))`,
  };
}

function branchesOf(searched: SearchedKind, kindIndex: number, context: QueryContext): Branch[] {
  const text = textOf(context).trim();
  const query = queryOf(context);
  const id = idIn(text, searched);
  const isId = id === undefined ? sql`false` : sql`${searched.id} = ${id}`;
  const branches = results(searched, kindIndex, context, {
    // As alternatives: for words that must all match, the time of ranking grows with the square of their number.
    rank: sql`ts_rank(item.document, (${query}) || (${query}))`,
    where: sql`item.document @@ ${query} AND NOT ${isId}`,
  });
  if (id !== undefined)
    branches.push(...results(searched, kindIndex, context, { rank: sql`${EXACT_ID_RANK}::real`, where: isId }));
  const related = relatedItems(searched.table, context);
  if (related)
    branches.push(
      ...results(searched, kindIndex, context, {
        rank: related.rank,
        where: sql`NOT item.document @@ ${query} AND NOT ${isId} AND ${related.where}`,
      }),
    );
  return branches;
}

/** The text to search for; without it, the result is empty. */
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
  source: (context) => SEARCHED_KINDS.flatMap((searched, index) => branchesOf(searched, index, context)),
  key: { shape: /^$/, column: sql`item.id`, order: [sql`item.place`, sql`length(item.id)`, sql`item.id`] },
  fields: {
    kind: { sql: sql`item.kind`, schema: schema.string({ enum: SEARCHED_KINDS.map(({ kind }) => kind) }) },
    id: { sql: sql`item.id`, schema: schema.string({ example: 'T21' }) },
    title: { sql: sql`item.title`, schema: schema.string() },
    excerpt: {
      sql: (context) =>
        sql`ts_headline('english', left(item.text, ${EXCERPT_CHARACTERS}), ${queryOf(context)}, ${EXCERPT_FORM})`,
      schema: schema.string({ description: 'The part of the text with the words, or its beginning.' }),
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
