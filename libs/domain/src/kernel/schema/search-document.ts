import { computed, index } from './columns.js';

/** Columns of full-text search: a title, names of the same weight, and a text of lower weight. */
interface SearchedColumns {
  readonly title: string;
  readonly names?: string;
  readonly text?: string;
}

const TITLE_AND_TEXT: SearchedColumns = { title: 'title', text: 'text' };
const TITLE: SearchedColumns = { title: 'title' };
const NAME_AND_DESCRIPTION: SearchedColumns = { title: 'name', text: 'description' };

/** The searched tables. */
const SEARCHED = {
  countermeasure_version: { ...TITLE_AND_TEXT, names: 'tags' },
  weakness_version: TITLE_AND_TEXT,
  additional_requirement_version: TITLE_AND_TEXT,
  how_to_version: TITLE_AND_TEXT,
  component_version: TITLE_AND_TEXT,
  threat_version: TITLE_AND_TEXT,
  survey_question: { title: 'text', text: 'description' },
  survey_answer: { title: 'text', text: 'description' },
  attribute: NAME_AND_DESCRIPTION,
  regulation: { title: 'name', names: 'ARRAY[version]' },
  // Users omit the leading letters: 11.4.2 is V11.4.2 of OWASP ASVS.
  regulation_section: { ...TITLE, names: `ARRAY[code, regexp_replace(code, '^[A-Za-z]+', '')]` },
  glossary_term: { title: 'term', text: 'definition' },
  cwe: TITLE,
  capec: TITLE,
  project: { ...NAME_AND_DESCRIPTION, names: 'tags' },
  application: { ...NAME_AND_DESCRIPTION, names: 'tags' },
  business_unit: { title: 'name' },
} as const satisfies Readonly<Record<string, SearchedColumns>>;

export type SearchedTable = keyof typeof SEARCHED;

export const searchedColumns = (table: SearchedTable): SearchedColumns => SEARCHED[table];

/**
 * The column with a row's `tsvector`: see `search_document` in `libs/domain/schema/functions.sql`. It is stored,
 * because ranking reads it for every match. PostgreSQL computes it again only if an update sets one of its columns.
 */
export function searchDocument(table: SearchedTable) {
  const { title, names = `'{}'::text[]`, text = `''::text` } = searchedColumns(table);
  return computed(`search_document(${title}, ${names}, ${text})`).columnType('tsvector');
}

export const searchIndex = (table: SearchedTable) => index(`${table}_document`, `${table} USING gin (document)`);
