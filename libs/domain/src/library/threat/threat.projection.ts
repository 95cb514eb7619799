import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { matchConditionsFilter, matchConditionsInclude } from '../match-condition/match-condition.projection.js';
import {
  CONTENT_TYPES,
  contentType,
  dbId,
  idOrder,
  visibleVersionBranches,
} from '../customization/customization.sql.js';
import { provenanceFields } from '../item-reference/provenance.projection.js';
import { FRAMEWORK_FIELDS, type FrameworkField, FRAMEWORKS, SEVERITY } from './threat.rules.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';
import { authorship, editor, times } from '../../access/user/authorship.projection.js';

const entries = (column: FrameworkField, framework: string, example: string): Field => ({
  sql: sql`to_json(${sql.ref(`item.${column}`)})`,
  schema: schema.list(schema.string(), { description: `Ids of entries of ${framework}.`, example: [example] }),
});

const entryFilter = (column: FrameworkField, framework: string) =>
  filters.element(sql.ref(`item.${column}`), `Threats that refer to this entry of ${framework}.`, { type: 'text' });

const namesWeakness = (ids: readonly string[] | null, context: QueryContext): Sql =>
  ids === null
    ? sql`cardinality(item.problems) > 0`
    : sql`item.problems && ARRAY(${identitiesByItemId('weakness')(ids, context)})`;

const namesFramework = (frameworks: readonly string[] | null): Sql => {
  const matches = FRAMEWORK_FIELDS.map((field) => {
    const some = sql`cardinality(${sql.ref(`item.${field}`)}) > 0`;
    return frameworks === null
      ? some
      : sql`(${some} AND EXISTS (SELECT 1 FROM threat_framework f WHERE f.slug = ${FRAMEWORKS[field]}
          AND ARRAY[f.slug, ${field}, f.id::text] && ${frameworks}::text[]))`;
  });
  return sql`(${sql.join(matches, sql` OR `)})`;
};

export const threatProjection = projection({
  name: 'Threat',
  source: visibleVersionBranches('threat'),
  key: { shape: idShape('threat'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'TH4' }) },
    db_id: { sql: dbId, schema: schema.integer({ description: 'Negative for custom content.', example: 4 }) },
    url: {
      sql: urlOf('library/threats', sql`item.item_id`),
      schema: schema.string({ example: '/library/threats/TH4/' }),
    },
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
    severity: column(schema.integer({ ...SEVERITY, description: '10 is the most severe.' }), {
      filter: 'Its severity.',
      sortable: true,
    }),
    type: { sql: contentType('threat'), schema: schema.string({ enum: CONTENT_TYPES }) },
    active: column(schema.boolean(), { filter: 'Whether it is active.', sortable: true }),
    capecs: {
      sql: sql`to_json(item.capecs)`,
      schema: schema.list(schema.integer(), { description: 'Numbers of attack patterns.', example: [66, 108] }),
    },
    problems: {
      sql: jsonList(sql`SELECT w.item_id AS entry FROM unnest(item.problems) WITH ORDINALITY named(id, place)
        JOIN weakness w ON w.id = named.id ORDER BY named.place`),
      schema: schema.list(schema.string(), { description: 'Weaknesses that it exploits.', example: ['P4'] }),
    },
    maestro: entries('maestro', 'MAESTRO', 'L3'),
    mitre_attack: entries('mitre_attack', 'MITRE ATT&CK', 'TA0006'),
    mitre_emb3d: entries('mitre_emb3d', 'MITRE EMB3D', 'TID-311'),
    stride: entries('stride', 'STRIDE', 'S'),
    ...authorship.fields('created_date'),
  },
  includes: { match_conditions: matchConditionsInclude('threat'), references: provenanceFields },
  expands: { answers: {}, attributes: {} },
  filters: {
    capec: filters.element(sql`item.capecs`, 'Threats with this CAPEC.', { type: 'integer' }),
    created_date: times.filters.created,
    framework: filters.related(
      'Threats that refer to an entry of this framework, given by its id, its slug or the name of its field.',
      namesFramework,
    ),
    id: filters.publicId(sql`item.item_id`, idShape('threat')),
    ...authorship.filters,
    maestro: entryFilter('maestro', 'MAESTRO'),
    mitre_attack: entryFilter('mitre_attack', 'MITRE ATT&CK'),
    mitre_emb3d: entryFilter('mitre_emb3d', 'MITRE EMB3D'),
    problem: filters.related('Threats that exploit this weakness.', namesWeakness, { shape: idShape('weakness') }),
    stride: entryFilter('stride', 'STRIDE'),
    type: filters.choice(contentType('threat'), 'Where it comes from.', CONTENT_TYPES),
    ...matchConditionsFilter('threat'),
  },
  orderings: {
    id: idOrder,
    last_update_date: [sql`item.updated_at`],
    last_updated_by: editor.order,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'db_id', 'title'] },
  switches: ['absolute_urls', 'to_html', 'show_original'],
});
