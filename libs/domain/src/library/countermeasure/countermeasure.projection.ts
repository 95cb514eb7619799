import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Facets, type Fields, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { placeOf, placeOrder } from './additional-requirement-place.sql.js';
import { idShape } from '../../kernel/item-id.js';
import { matchConditionsFilter, matchConditionsInclude } from '../match-condition/match-condition.projection.js';
import {
  CONTENT_TYPES,
  contentType,
  dbId,
  idOrder,
  visibleVersionBranches,
  visibleOrOriginal,
} from '../customization/customization.sql.js';
import { builtInOrCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';
import { phaseObject, phaseSchema } from '../phase/phase.projection.js';
import { provenanceFields } from '../item-reference/provenance.projection.js';
import { weaknessObject, weaknessObjectSchema } from '../weakness/weakness.projection.js';
import { LEVEL, PRIORITY } from './countermeasure.rules.js';
import { authorship, editor, times } from '../../access/user/authorship.projection.js';

const texts = (column: string, description: string): Fields => ({
  [column]: { sql: sql`to_json(${sql.ref(`item.${column}`)})`, schema: schema.list(schema.string(), { description }) },
});

const amendments = (context: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({
    id: sql`a.item_id`,
    title: sql`a.title`,
    text: sql`a.text`,
    ordinal: placeOf('a', context),
  })} AS entry
    FROM additional_requirement r JOIN additional_requirement_version a ON a.additional_requirement_id = r.id
    WHERE r.countermeasure_id = item.countermeasure_id AND a.active
      AND ${visibleOrOriginal('additional_requirement', 'a', context)}
    ORDER BY ${placeOrder('a')}`);

const howTos = (context: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({
    id: sql`h.item_id`,
    title: sql`h.title`,
    text: sql`h.text`,
    slug: sql`h.slug`,
    url: sql`${`${context.origin}/library/tasks/`} || item.item_id || '/implementations/' || h.item_id || '/'`,
  })} AS entry
    FROM how_to r JOIN how_to_version h ON h.how_to_id = r.id
    WHERE r.countermeasure_id = item.countermeasure_id AND h.active AND ${visibleOrOriginal('how_to', 'h', context)}
    ORDER BY h.is_custom, h.number`);

/** The schema of an additional requirement within a countermeasure. */
export const requirementSchema = schema.object({
  id: schema.string({ example: 'TA3' }),
  title: schema.string(),
  text: schema.markdown(),
  ordinal: schema.integer(),
});

/** The schema of a how-to within a countermeasure. */
export const howToSchema = schema.object({
  id: schema.string({ example: 'I5' }),
  title: schema.string(),
  text: schema.markdown(),
  slug: schema.string(),
  url: schema.string(),
});

const includes: Readonly<Record<string, Fields>> = {
  amendments: {
    amendments: {
      sql: amendments,
      schema: schema.list(requirementSchema, { description: 'Its active additional requirements, in their order.' }),
    },
  },
  categories: texts('categories', 'Areas that it belongs to.'),
  how_tos: {
    how_tos: {
      sql: howTos,
      schema: schema.list(howToSchema, {
        description: 'Its active how-tos, by language or framework.',
      }),
    },
  },
  level: {
    level: {
      sql: sql`item.level`,
      schema: schema.integer({ ...LEVEL, description: 'The lowest level of a project that it applies to.' }),
    },
  },
  match_conditions: matchConditionsInclude('countermeasure'),
  references: provenanceFields,
  tags: texts('tags', 'Its tags.'),
  verification_coverage: texts('verification_coverage', 'Kinds of tools and tests that can verify it.'),
};

const namedByRegulation = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`EXISTS (SELECT 1 FROM regulation_section_countermeasure n
    JOIN regulation_section s ON s.id = n.section_id AND s.active
    WHERE n.countermeasure_id = item.countermeasure_id AND ${builtInOrCustom('s', context)}
    ${ids === null ? sql`` : sql`AND s.regulation_id IN (${identitiesByItemId('regulation')(ids, context)})`})`;

/** Filters that countermeasures have in the library and in projects. */
export const contentFilters = {
  phase: filters.reference(
    sql`item.phase_id`,
    'The phase in which it is due.',
    identitiesByItemId('phase'),
    idShape('phase'),
  ),
  priority: filters.integer(sql`item.priority`, 'Its priority.', PRIORITY),
  problem: filters.reference(
    sql`item.weakness_id`,
    'The weakness that it addresses.',
    identitiesByItemId('weakness'),
    idShape('weakness'),
  ),
};

/** Facets that countermeasures have in the library and in projects. */
export const contentFacets: Facets = {
  phase: {
    key: sql`item.phase_id`,
    value: (key) => sql`(SELECT p.item_id FROM phase p WHERE p.id = ${key})`,
    label: (key) => sql`(SELECT p.name FROM phase p WHERE p.id = ${key})`,
    schema: schema.string({ example: 'X3' }),
  },
  priority: { key: sql`item.priority`, schema: schema.integer({ ...PRIORITY }) },
  tag: { key: sql`item.tags`, isList: true, schema: schema.string({ example: 'passwords' }) },
};

/** The read side of countermeasures, the reference for all other projections. */
export const countermeasureProjection = projection({
  name: 'Countermeasure',
  source: visibleVersionBranches('countermeasure'),
  key: { shape: idShape('countermeasure'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'T21' }) },
    db_id: { sql: dbId, schema: schema.integer({ description: 'Negative for custom content.', example: 21 }) },
    url: { sql: urlOf('library/tasks', sql`item.item_id`), schema: schema.string({ example: '/library/tasks/T21/' }) },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    problem: {
      sql: sql`(SELECT w.item_id FROM weakness w WHERE w.id = item.weakness_id)`,
      schema: schema.string({
        description: 'The weakness that it addresses; an object with `expand=problem`.',
        example: 'P4',
      }),
    },
    priority: column(schema.integer({ ...PRIORITY, description: '10 is the most urgent.' }), { sortable: true }),
    phase: {
      sql: sql`(SELECT p.item_id FROM phase p WHERE p.id = item.phase_id)`,
      schema: schema.string({ description: 'The phase it is due in; an object with `expand=phase`.', example: 'X3' }),
    },
    active: column(schema.boolean(), { filter: 'Whether it is active.', sortable: true }),
    type: { sql: contentType('countermeasure'), schema: schema.string({ enum: CONTENT_TYPES }) },
    ...authorship.fields('created_date'),
  },
  includes,
  expands: {
    answers: {},
    attributes: {},
    phase: {
      phase: { sql: sql`(SELECT ${phaseObject('p')} FROM phase p WHERE p.id = item.phase_id)`, schema: phaseSchema },
    },
    problem: { problem: { sql: weaknessObject(sql`item.weakness_id`), schema: weaknessObjectSchema } },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('countermeasure')),
    ...authorship.filters,
    last_updated_date_from: filters.timestampBound(sql`item.updated_at`, '>=', 'Changed at this time or later.'),
    last_updated_date_to: filters.timestampBound(sql`item.updated_at`, '<=', 'Changed at this time or earlier.'),
    created_date: times.filters.created,
    ...contentFilters,
    level: filters.integer(sql`item.level`, 'The lowest level of a project that it applies to.', LEVEL),
    regulation: filters.related('Countermeasures that are mapped to a section of this regulation.', namedByRegulation, {
      shape: idShape('regulation'),
    }),
    tag: filters.element(sql`item.tags`, 'Any of the tags given.', { type: 'text', repeatable: true }),
    type: filters.choice(contentType('countermeasure'), 'Where it comes from.', CONTENT_TYPES),
    ...matchConditionsFilter('countermeasure'),
  },
  facets: {
    ...contentFacets,
    active: {
      key: sql`item.active`,
      label: (key) => sql`CASE WHEN ${key} THEN 'Active' ELSE 'Inactive' END`,
      schema: schema.boolean(),
    },
    type: { key: contentType('countermeasure'), schema: schema.string({ enum: CONTENT_TYPES }) },
  },
  orderings: {
    id: idOrder,
    last_update_date: [sql`item.updated_at`],
    last_updated_by: editor.order,
    phase: [sql`(SELECT p.ordinal FROM phase p WHERE p.id = item.phase_id)`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'db_id', 'title'] },
  switches: ['absolute_urls', 'to_html', 'show_original'],
});
