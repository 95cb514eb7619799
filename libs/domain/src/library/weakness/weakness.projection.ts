import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Fields, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { cweObject, cweReferenceSchema } from '../cwe/cwe.projection.js';
import { idShape } from '../../kernel/item-id.js';
import {
  matchConditionsFilter,
  matchConditionsInclude,
  matchConditionSchema,
  matchConditionsOf,
} from '../match-condition/match-condition.projection.js';
import {
  CONTENT_TYPES,
  contentType,
  dbId,
  dbIdOf,
  idOrder,
  visibleVersionBranches,
  visible,
} from '../customization/customization.sql.js';
import { provenanceFields } from '../item-reference/provenance.projection.js';
import { RISK_RATING } from './weakness.rules.js';
import { editor, times } from '../../access/user/authorship.projection.js';

/** The CWEs in an array column as objects, in order. */
const cweObjects = (column: Sql): Sql =>
  jsonList(
    sql`SELECT ${cweObject} AS entry FROM unnest(${column}) WITH ORDINALITY named(id, place)
      JOIN cwe c ON c.id = named.id ORDER BY named.place`,
  );

const relatedTasks = ({ organization }: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({
    id: sql`t.item_id`,
    db_id: dbIdOf('t'),
    title: sql`t.title`,
    priority: sql`t.priority`,
    text: sql`t.text`,
    phase: sql`(SELECT p.item_id FROM phase p WHERE p.id = t.phase_id)`,
    active: sql`t.active`,
  })} AS entry FROM countermeasure_version t
    WHERE t.weakness_id = item.weakness_id AND ${visible('countermeasure', 't', organization)}
      ORDER BY t.is_custom, t.number`);

const includes: Readonly<Record<string, Fields>> = {
  category: { category: { sql: sql`item.category`, schema: schema.string({ example: 'Authentication' }) } },
  cwe: { cwe: { sql: cweObjects(sql`item.cwes`), schema: schema.list(cweReferenceSchema) } },
  related_tasks: {
    related_tasks: {
      sql: relatedTasks,
      schema: schema.list(
        schema.object({
          id: schema.string({ example: 'T2' }),
          db_id: schema.integer(),
          title: schema.string(),
          priority: schema.integer(),
          text: schema.markdown(),
          phase: schema.string({ example: 'X3' }),
          active: schema.boolean(),
        }),
        { description: 'The countermeasures of this weakness.' },
      ),
    },
  },
  match_conditions: matchConditionsInclude('weakness'),
  references: provenanceFields,
};

export const weaknessProjection = projection({
  name: 'Weakness',
  source: visibleVersionBranches('weakness'),
  key: { shape: idShape('weakness'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'P4' }) },
    db_id: { sql: dbId, schema: schema.integer({ example: 4 }) },
    url: {
      sql: urlOf('library/problems', sql`item.item_id`),
      schema: schema.string({ example: '/library/problems/P4/' }),
    },
    title: column(schema.string({ description: 'Unique among the weaknesses that the organization sees.' }), {
      filter: 'Its title.',
      sortable: true,
    }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    risk_rating: column(schema.integer(RISK_RATING), { sortable: true }),
    type: { sql: contentType('weakness'), schema: schema.string({ enum: CONTENT_TYPES }) },
    cwe: { sql: sql`to_json(item.cwes)`, schema: schema.list(schema.integer(), { example: [287, 306] }) },
    ...times.fields,
    last_updated_by: editor.field,
    active: column(schema.boolean(), { filter: 'Whether it is active.', sortable: true }),
  },
  includes,
  expands: { answers: {}, attributes: {} },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('weakness')),
    cwe: filters.element(sql`item.cwes`, 'Weaknesses with this CWE.', { type: 'integer' }),
    risk_rating: filters.integer(sql`item.risk_rating`, 'Its risk rating.', {
      minimum: 0,
      maximum: RISK_RATING.maximum,
    }),
    type: filters.choice(contentType('weakness'), 'Where it comes from.', CONTENT_TYPES),
    category: filters.text(sql`item.category`, 'Its category.'),
    ...times.filters,
    ...matchConditionsFilter('weakness'),
  },
  orderings: {
    id: idOrder,
    name: [sql`lower(item.title)`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'title'] },
  switches: ['absolute_urls', 'to_html', 'show_original'],
});

/** The weakness that `expand=problem` shows, as customized by the organization. */
export const weaknessObject =
  (weaknessId: Sql) =>
  (context: QueryContext): Sql => {
    const members: Record<string, Sql> = {
      id: sql`w.item_id`,
      db_id: dbIdOf('w'),
      risk_rating: sql`w.risk_rating`,
      title: sql`w.title`,
      text: sql`w.text`,
      cwe: cweObjects(sql`w.cwes`),
    };
    if (context.includes.has('match_conditions'))
      members.match_conditions = matchConditionsOf('weakness', sql`w.id`)(context);
    return sql`(SELECT ${jsonObject(members)} FROM weakness_version w
      WHERE w.weakness_id = ${weaknessId} AND ${visible('weakness', 'w', context.organization)})`;
  };

export const weaknessObjectSchema = schema.object(
  {
    id: schema.string({ example: 'P4' }),
    db_id: schema.integer(),
    risk_rating: schema.integer(RISK_RATING),
    title: schema.string(),
    text: schema.markdown(),
    cwe: schema.list(cweReferenceSchema),
    match_conditions: schema.list(matchConditionSchema, { description: 'Only with `include=match_conditions`.' }),
  },
  { required: ['id', 'db_id', 'risk_rating', 'title', 'text', 'cwe'] },
);
