import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import type { Filter } from '#query/filter-parameters.js';
import { type Branch, projection } from '#query/projection.js';
import { type QueryContext, resolve, type Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { escapeLike } from '#query/values.js';
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
/** For a match that is not ranked, because there are too many: below what a match in a text gets in most cases. */
const UNRANKED_RANK = 0.015;
/** So many matches of one kind are ranked. */
const MAX_RANKED = 500;
/** Excerpts are made from this many characters. */
const EXCERPT_CHARACTERS = 20_000;
const EXCERPT_FORM = 'MaxFragments=2, MaxWords=30, MinWords=12, StartSel="", StopSel="", FragmentDelimiter=" … "';

const textOf = ({ filterValues }: QueryContext): string => filterValues.get('q')?.[0] ?? '';
const queryOf = (context: QueryContext): Sql => searchQuery(parseSearch(textOf(context)));

/** Patterns of all words and phrases as they were typed. */
function titlePatterns(context: QueryContext): Sql {
  const { words, phrases, prefix } = parseSearch(textOf(context));
  const parts = [...words, ...phrases, ...(prefix === undefined ? [] : [prefix])];
  return sql`${parts.map((part) => `%${escapeLike(part)}%`)}::text[]`;
}

/**
 * True for every row. Without it, PostgreSQL reads each document for a word that is in half of them, instead of using
 * the index: six times as long for long texts.
 */
const USES_INDEX = sql`(item.id > 0 OR document_check(item.id))`;

interface Match {
  readonly rank: Sql;
  readonly where: Sql;
}

/** Selects the matching rows of one kind: only what orders and counts them, because there may be many. */
const matches = (
  { kind, table, id, source }: SearchedKind,
  kindIndex: number,
  context: QueryContext,
  { rank, where }: Match,
): Branch => ({
  table: sql`(
    SELECT ${kind}::text AS kind, ${kindIndex}::int AS place, item.id::bigint AS row, ${id} AS id, ${rank} AS rank
    FROM ${sql.table(table)} item WHERE ${source(context)} AND ${where})`,
  where: sql`true`,
});

/**
 * Selects the rows of one kind whose document matches. PostgreSQL finds them in the index, but ranking reads each
 * document. So only the first are ranked: those with the words in their title as they were typed, then the oldest.
 */
function rankedMatches(searched: SearchedKind, kindIndex: number, context: QueryContext, where: Sql): Branch {
  const query = queryOf(context);
  const title = sql.ref(`item.${searchedColumns(searched.table).title}`);
  const position = sql`row_number() OVER (ORDER BY ${title} ILIKE ALL(${titlePatterns(context)}) DESC, item.id)`;
  const found = matches(searched, kindIndex, context, { rank: position, where });
  return {
    table: sql`(SELECT kind, place, row, id, CASE WHEN rank > ${sql.lit(MAX_RANKED)} THEN ${UNRANKED_RANK}::real ELSE (
        -- As alternatives: for words that must all match, the time of ranking grows with the square of their number.
        SELECT ts_rank(item.document, (${query}) || (${query})) FROM ${sql.table(searched.table)} item
        WHERE item.id = found.row) END AS rank
      FROM ${found.table} found)`,
    where: sql`true`,
  };
}

/** What a result shows besides, for the match `item`. LIMIT keeps the planner from joining whole tables. */
const shownColumns = (context: QueryContext): Sql => sql`
  CROSS JOIN LATERAL (SELECT item.place, item.row) AS wanted(place, row)
  CROSS JOIN LATERAL (${sql.join(
    SEARCHED_KINDS.map(({ table, url }, kindIndex) => {
      const { title, text = `''` } = searchedColumns(table);
      return sql`SELECT ${sql.ref(`item.${title}`)} AS title, ${sql.raw(text)} AS text, ${resolve(url, context)} AS url
        FROM ${sql.table(table)} item WHERE wanted.place = ${sql.lit(kindIndex)} AND item.id = wanted.row`;
    }),
    sql` UNION ALL `,
  )} LIMIT 1) shown`;

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
 * section all others. Undefined for a single word.
 */
function namedSections(context: QueryContext): Sql | undefined {
  const parts = searchParts(parseSearch(textOf(context)));
  if (parts.length < 2) return undefined;
  return sql`SELECT s.id FROM regulation r
    CROSS JOIN LATERAL (
      SELECT (string_agg('(' || part::text || ')', ' & ') FILTER (WHERE NOT named))::tsquery AS query
      FROM (SELECT part, r.document @@ part AS named
        FROM unnest(ARRAY[${sql.join(parts)}]) AS part WHERE numnode(part) > 0) words
      HAVING bool_or(named)) others
    JOIN regulation_section s ON s.regulation_id = r.id AND s.active AND s.document @@ others.query
    WHERE ${builtInOrCustom('r', context)} AND ${builtInOrCustom('s', context)}`;
}

/** Items of a table that match by related names; undefined if there are none. Arrays let PostgreSQL use its indexes. */
function relatedItems(table: SearchedTable, context: QueryContext): Match | undefined {
  const rank = sql`${RELATED_NAME_RANK}::real`;
  const sections = namedSections(context);
  if (table === 'regulation_section') {
    const codes = textOf(context).toUpperCase().split(/\s+/);
    return (
      sections && {
        rank: sql`CASE
        WHEN upper(item.code) = ANY(${codes}) OR regexp_replace(item.code, '^[A-Za-z]+', '') = ANY(${codes})
        THEN ${EXACT_SECTION_RANK} ELSE ${NAMED_SECTION_RANK} END::real`,
        where: sql`item.id = ANY(ARRAY(${sections}))`,
      }
    );
  }
  if (table === 'weakness_version') return { rank, where: sql`item.cwes && ${cwesOf(context)}` };
  if (table !== 'countermeasure_version') return undefined;
  const ofWeaknesses = sql`item.weakness_id = ANY(ARRAY(
    SELECT w.weakness_id FROM weakness_version w WHERE w.cwes && ${cwesOf(context)}
      AND ${visible('weakness', 'w', context.organization)}))`;
  const ofSections =
    sections &&
    sql`item.countermeasure_id = ANY(ARRAY(
      SELECT n.countermeasure_id FROM regulation_section_countermeasure n
      WHERE n.section_id = ANY(ARRAY(${sections}))))`;
  return { rank, where: ofSections ? sql`(${ofWeaknesses} OR ${ofSections})` : ofWeaknesses };
}

function branchesOf(searched: SearchedKind, kindIndex: number, context: QueryContext): Branch[] {
  const text = textOf(context).trim();
  const query = queryOf(context);
  const id = idIn(text, searched);
  const isId = id === undefined ? sql`false` : sql`${searched.id} = ${id}`;
  const branches = [
    rankedMatches(searched, kindIndex, context, sql`item.document @@ ${query} AND NOT ${isId} AND ${USES_INDEX}`),
  ];
  if (id !== undefined)
    branches.push(matches(searched, kindIndex, context, { rank: sql`${EXACT_ID_RANK}::real`, where: isId }));
  const related = relatedItems(searched.table, context);
  if (related)
    branches.push(
      matches(searched, kindIndex, context, {
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
  details: shownColumns,
  key: { shape: /^$/, column: sql`item.id`, order: [sql`item.place`, sql`length(item.id)`, sql`item.id`] },
  fields: {
    kind: column(schema.string({ enum: SEARCHED_KINDS.map(({ kind }) => kind) })),
    id: column(schema.string({ example: 'T21' })),
    title: { sql: sql`shown.title`, schema: schema.string() },
    excerpt: {
      sql: (context) =>
        sql`ts_headline('english', left(shown.text, ${EXCERPT_CHARACTERS}), ${queryOf(context)}, ${EXCERPT_FORM})`,
      schema: schema.string({ description: 'The part of the text with the words, or its beginning.' }),
    },
    url: { sql: sql`shown.url`, schema: schema.string({ example: '/library/tasks/T21/' }) },
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
