import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonObject, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { riskPolicyObject, riskPolicySchema } from '../risk-policy/risk-policy.projection.js';
import { riskPolicyOf } from '../risk-policy/risk-policy-compliance.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { groupMembers, userMembers } from './project-members.sql.js';
import { PROJECT_ROLES } from '../../kernel/permissions.js';
import { CAPABILITIES, ROLES_IN_PROJECTS } from '../project-access/project-roles.js';
import { rolesInProject, visibleProject } from '../project-access/project-visibility.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';
import { times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.id`];
const riskPolicy = riskPolicyOf('item');
const MEMBERS = { table: 'project_member', where: sql`m.project_id = item.id`, role: 'role' };

/** The capabilities of each role, one pair per row. */
const CAPABILITY_ROWS = JSON.stringify(
  PROJECT_ROLES.flatMap((role) => ROLES_IN_PROJECTS[role].capabilities.map((capability) => ({ role, capability }))),
);

const permissions = (
  context: QueryContext,
): Sql => sql`(SELECT coalesce(json_agg(DISTINCT allowed.capability), '[]') FROM (
  SELECT c.capability FROM json_to_recordset(${CAPABILITY_ROWS}::json) AS c(role text, capability text)
    WHERE c.role = ANY(${rolesInProject('item', context)}) AND (NOT item.locked OR c.role = 'PR1')
  UNION ALL SELECT 'delete' WHERE ${context.may('delete_project')}) allowed)`;

const countOf = (condition: Sql): Sql => sql`count(*) FILTER (WHERE ${condition})`;

/** The number of accepted countermeasures by status. */
const taskCounts = sql`(SELECT ${jsonObject({
  total: sql`count(*)`,
  complete: countOf(sql`s.meaning = 'DONE'`),
  incomplete: countOf(sql`s.meaning = 'TODO'`),
  not_applicable: countOf(sql`s.meaning = 'NA'`),
})} FROM project_countermeasure t JOIN task_status s ON s.id = t.status_id
  WHERE t.project_id = item.id AND t.accepted)`;

const profile = jsonObject({
  id: sql`f.item_id`,
  name: sql`f.name`,
  logo_url: sql`f.logo_url`,
  active: sql`f.active`,
});

const businessUnitId = sql`(SELECT a.business_unit_id FROM application a WHERE a.id = item.application_id)`;

const withComponent = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`EXISTS (SELECT 1 FROM project_component c WHERE c.project_id = item.id
    ${ids === null ? sql`` : sql`AND c.component_id IN (${identitiesByItemId('component')(ids, context)})`})`;

/** Projects that the caller can see. */
export const projectProjection = projection({
  name: 'Project',
  source: (context) => [{ table: sql.table('project'), where: visibleProject('item', context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    external_id: column(schema.string({ example: 'project-6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }), {
      filter: 'Its id in another system.',
    }),
    name: column(schema.string({ example: 'Web shop 2.0' }), { filter: 'Its name.', sortable: true }),
    slug: column(schema.string({ example: 'web-shop-2-0' }), { filter: 'Its slug.' }),
    url: { sql: urlOf('projects', sql`item.id`), schema: schema.string({ example: '/projects/1/' }) },
    description: column(schema.string()),
    application: {
      sql: sql`item.application_id`,
      schema: schema.integer({ description: 'Id of its application.', example: 1 }),
    },
    profile: {
      sql: sql`(SELECT ${profile} FROM profile f WHERE f.id = item.profile_id)`,
      schema: schema.nullable(
        schema.object(
          {
            id: schema.string({ example: 'P1' }),
            name: schema.string({ example: 'Web application' }),
            logo_url: schema.nullable(schema.string()),
            active: schema.boolean(),
          },
          { description: 'The profile whose answers it started with.' },
        ),
      ),
    },
    archived: column(schema.boolean({ description: 'By default, lists exclude archived projects.' })),
    locked: column(schema.boolean({ description: 'Only its leads may change it.' })),
    creator: {
      sql: sql`item.creator_id`,
      schema: schema.nullable(
        schema.integer({ description: 'The user who created it; an object with `expand=creator`.', example: 7 }),
      ),
    },
    tags: { sql: sql`to_json(item.tags)`, schema: schema.list(schema.string({ example: 'pci' })) },
    application_tags: {
      sql: sql`(SELECT to_json(a.tags) FROM application a WHERE a.id = item.application_id)`,
      schema: schema.list(schema.string({ example: 'shop' }), { description: 'Tags of its application.' }),
    },
    ...times.fields,
    users: userMembers(MEMBERS, 'Its members. Its creator is always a lead, even if not listed.'),
    groups: groupMembers(MEMBERS, 'The groups whose users are its members.'),
    custom_attributes: column({
      type: 'object',
      additionalProperties: true,
      description: 'Custom attributes, by name.',
    }),
    parent: {
      sql: sql`item.parent_id`,
      schema: schema.nullable(schema.integer({ description: 'Id of its parent project.' })),
    },
    base_project: {
      sql: sql`item.base_project_id`,
      schema: schema.nullable(schema.integer({ description: 'Id of the project that it was copied from.' })),
    },
    survey_complete: column(schema.boolean()),
    survey_dirty: column(schema.boolean({ description: 'Whether the draft of its survey has unsaved changes.' })),
    risk_policy: {
      sql: riskPolicy,
      schema: schema.nullable(
        schema.integer({
          description: 'The risk policy that applies to it; an object with `expand=risk_policy`.',
          example: 1,
        }),
      ),
    },
    risk_policy_compliant: column(
      schema.nullable(
        schema.boolean({
          description: 'Whether it complies with its risk policy; null until that has been calculated.',
        }),
      ),
      { filter: 'Whether it complies with its risk policy.' },
    ),
    content_refresh_locked: column(schema.boolean({ description: 'Whether library changes are not applied to it.' })),
  },
  includes: {
    permissions: {
      permissions: {
        sql: permissions,
        schema: schema.list(schema.string({ enum: CAPABILITIES }), { description: 'What you may change in it.' }),
      },
    },
    task_counts: {
      task_counts: {
        sql: taskCounts,
        schema: schema.object(
          {
            total: schema.integer(),
            complete: schema.integer(),
            incomplete: schema.integer(),
            not_applicable: schema.integer(),
          },
          { description: 'How many countermeasures it has, by status.' },
        ),
      },
    },
  },
  expands: {
    creator: { creator: { sql: userObject(sql`item.creator_id`), schema: userReferenceSchema } },
    risk_policy: { risk_policy: { sql: riskPolicyObject(riskPolicy), schema: riskPolicySchema } },
  },
  filters: {
    application: filters.integer(sql`item.application_id`, 'Its application.'),
    business_unit: filters.integer(businessUnitId, 'The business unit of its application.'),
    parent: filters.integer(sql`item.parent_id`, 'Its parent project.'),
    profile: filters.reference(sql`item.profile_id`, 'Its profile.', identitiesByItemId('profile'), idShape('profile')),
    risk_policy: filters.integer(riskPolicy, 'The risk policy that applies to it.'),
    tag: filters.element(sql`item.tags`, 'Has this tag; repeatable.', { type: 'text', repeatable: true }),
    components: filters.related('Projects with this component.', withComponent, { shape: idShape('component') }),
    creator: filters.integer(sql`item.creator_id`, 'The user who created it.'),
    ...times.filters,
    active: filters.booleanOrAll(
      sql`(NOT item.archived)`,
      'Projects that are not archived, those that are (`false`), or `all`.',
      true,
    ),
  },
  orderings: {
    id: idOrder,
    ...times.orderings,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
  switches: ['absolute_urls'],
});
