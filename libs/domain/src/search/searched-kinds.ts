import { sql } from 'kysely';
import { urlOf } from '#query/expressions.js';
import type { Branch, Projection } from '#query/projection.js';
import { type Expression, type QueryContext, type Sql } from '#query/query-context.js';
import { builtInAndCustom, builtInOrCustom, sharedByAll } from '../kernel/built-in.sql.js';
import { idShape, NUMERIC_ID } from '../kernel/item-id.js';
import { hasScope } from '../kernel/token-scopes.js';
import type { SearchedTable } from '../kernel/schema/search-document.js';
import { type CustomizableKind, visibleVersionBranches } from '../library/customization/customization.sql.js';
import { applicationProjection } from '../projects/application/application.projection.js';
import { businessUnitProjection } from '../projects/business-unit/business-unit.projection.js';
import { projectProjection } from '../projects/project/project.projection.js';

/** A kind of searchable item. In its SQL the row is called `item`. */
export interface SearchedKind {
  /** Its name in responses and in the filter `kind`. */
  readonly kind: string;
  readonly table: SearchedTable;
  /** The condition of the rows that the caller can see: those of the kind's own list that are still in force. */
  readonly source: (context: QueryContext) => Sql;
  readonly shape: RegExp;
  /** What people write in front of an id that is a number. */
  readonly prefix?: RegExp;
  readonly id: Sql;
  readonly url: Expression;
}

/** The id that a text is, as paths have it or as people write it; undefined where it is none of that kind. */
export const idIn = (text: string, { shape, prefix }: Pick<SearchedKind, 'shape' | 'prefix'>): string | undefined =>
  [text, text.toUpperCase(), ...(prefix ? [text.replace(prefix, '')] : [])].find((one) => shape.test(one));

export const CWE_PREFIX = /^CWE[- ]?/i;

const ITEM_ID = sql`item.item_id`;

/** The condition of the rows of a source. Its branches are parts of one table; each costs time to plan. */
const rowsOf =
  (source: (context: QueryContext) => readonly Branch[]): SearchedKind['source'] =>
  (context) =>
    sql`(${sql.join(
      source(context).map(({ where }) => sql`(${where})`),
      sql` OR `,
    )})`;

const customizable = (kind: CustomizableKind, url: Expression): SearchedKind => ({
  kind,
  table: `${kind}_version`,
  source: rowsOf(visibleVersionBranches(kind)),
  shape: idShape(kind),
  id: ITEM_ID,
  url,
});

/** The URL of an item that belongs to a countermeasure. */
const withinCountermeasure =
  (kind: 'additional_requirement' | 'how_to', folder: string): Expression =>
  ({ origin }) =>
    sql`(SELECT ${`${origin}/library/tasks/`} || c.item_id || ${`/${folder}/`} || item.item_id || '/'
    FROM ${sql.table(kind)} i JOIN countermeasure c ON c.id = i.countermeasure_id
    WHERE i.id = ${sql.ref(`item.${kind}_id`)})`;

const withNumber = (kind: 'cwe' | 'capec', folder: string, prefix: RegExp): SearchedKind => ({
  kind,
  table: kind,
  source: rowsOf(sharedByAll(kind)),
  shape: NUMERIC_ID,
  prefix,
  id: sql`item.id::text`,
  url: urlOf(folder, sql`item.id`),
});

const ofOrganization = (
  kind: 'project' | 'application' | 'business_unit',
  folder: string,
  { source }: Pick<Projection, 'source'>,
): SearchedKind => ({
  kind,
  table: kind,
  // The search itself needs only `library:read`.
  source: (context) => (hasScope(context, 'projects:read') ? rowsOf(source)(context) : sql`false`),
  shape: NUMERIC_ID,
  id: sql`item.id::text`,
  url: urlOf(folder, sql`item.id`),
});

const builtInOrOwn = (
  kind: string,
  table: 'survey_question' | 'survey_answer' | 'attribute' | 'regulation' | 'regulation_section' | 'glossary_term',
  url: Expression,
): SearchedKind => ({
  kind,
  table,
  source: rowsOf(builtInAndCustom(table)),
  shape: idShape(table),
  id: ITEM_ID,
  url,
});

/** All kinds. Results of equal rank are in this order. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [
  customizable('countermeasure', urlOf('library/tasks', ITEM_ID)),
  customizable('weakness', urlOf('library/problems', ITEM_ID)),
  customizable('additional_requirement', withinCountermeasure('additional_requirement', 'amendments')),
  customizable('how_to', withinCountermeasure('how_to', 'implementations')),
  customizable('component', urlOf('library/components', ITEM_ID)),
  customizable('threat', urlOf('library/threats', ITEM_ID)),
  ofOrganization('project', 'projects', projectProjection),
  ofOrganization('application', 'applications', applicationProjection),
  ofOrganization('business_unit', 'business-units', businessUnitProjection),
  builtInOrOwn('regulation', 'regulation', urlOf('library/regulations', ITEM_ID)),
  {
    ...builtInOrOwn(
      'regulation_section',
      'regulation_section',
      ({
        origin,
      }) => sql`(SELECT ${`${origin}/library/regulations/`} || r.item_id || '/sections/' || item.item_id || '/'
      FROM regulation r WHERE r.id = item.regulation_id)`,
    ),
    // A later edition may have retired it.
    source: (context) => sql`${builtInOrCustom('item', context)} AND item.active`,
  },
  builtInOrOwn('question', 'survey_question', urlOf('library/questions', ITEM_ID)),
  builtInOrOwn('answer', 'survey_answer', urlOf('library/answers', ITEM_ID)),
  builtInOrOwn('attribute', 'attribute', urlOf('library/attributes', ITEM_ID)),
  builtInOrOwn('glossary_term', 'glossary_term', urlOf('library/glossary-terms', ITEM_ID)),
  withNumber('cwe', 'library/cwes', CWE_PREFIX),
  withNumber('capec', 'library/capecs', /^CAPEC[- ]?/i),
];
