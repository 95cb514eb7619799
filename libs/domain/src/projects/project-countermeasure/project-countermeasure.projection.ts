import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { type Declaration, type Fields, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { contentFilters } from '../../library/countermeasure/countermeasure.projection.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { phaseObject, phaseSchema } from '../../library/phase/phase.projection.js';
import { IMPORTANCE, importance } from '../project-content/importance.sql.js';
import { isRiskRelevant } from '../risk-policy/risk-policy-compliance.js';
import { projectObject } from '../project-access/project-object.js';
import { visibleProject, visibleProjectId } from '../project-access/project-visibility.js';
import { assigneeObject, assigneeSchema } from './assignee.sql.js';
import { countermeasureFacets } from './project-countermeasure.facets.js';
import { inclusionReasonField } from './inclusion-reason.sql.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { weaknessObject, weaknessObjectSchema } from '../../library/weakness/weakness.projection.js';
import { TASK_STATUS_NAMES, TASK_STATUSES } from '../task-status/task-status.rules.js';
import { partsIncludes } from './parts.sql.js';
import { PROJECT_COUNTERMEASURE_ID, TASK_ID, VERIFICATION_STATUSES } from './project-countermeasure.rules.js';
import { hasId, projectCountermeasures, publicIdOf, urlOf } from './project-countermeasure.sql.js';

const publicId = publicIdOf('item');
const statusId = sql`('TS' || item.status_id)`;
const projectSpecific = sql`(item.countermeasure_id IS NULL)`;

const idOrder = [sql`item.project_id`, sql`item.origin`, sql`item.number`];

const hasAssignee = (condition: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM project_countermeasure_assignee a JOIN user_account u ON u.id = a.user_id
    WHERE a.project_countermeasure_id = item.id AND ${condition})`;

/** Users are identified by id or by e-mail address. */
const assignedTo = (users: readonly string[] | null): Sql =>
  hasAssignee(
    users === null
      ? sql`true`
      : sql`(u.id::text = ANY(${users}::text[])
        OR lower(u.email) = ANY(${users.map((user) => user.toLowerCase())}::text[]))`,
  );

/** Whether the risk policy of the project includes a countermeasure `item`. */
export const riskRelevant = isRiskRelevant(sql`item.project_id`, {
  phase: sql`(SELECT f.item_id FROM phase f WHERE f.id = item.phase_id)`,
  priority: sql`item.priority`,
  tags: sql`item.tags`,
});

const importanceInProject = importance({
  priority: sql`item.priority`,
  level: sql`item.level`,
  stakes: sql`(SELECT p.stakes FROM project p WHERE p.id = item.project_id)`,
});

const fields = {
  id: {
    sql: publicId,
    schema: schema.string({ description: 'The project and the countermeasure in it.', example: '1-T21' }),
  },
  task_id: column(
    schema.string({
      description: 'The countermeasure of the library; `PT<n>` if it is project-specific.',
      example: 'T21',
    }),
  ),
  url: {
    sql: urlOf('item'),
    schema: schema.string({ example: '/projects/1/tasks/1-T21/' }),
  },
  title: column(schema.string()),
  text: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' })),
  priority: column(schema.integer({ ...PRIORITY, description: '10 is the most urgent.' })),
  importance: {
    sql: importanceInProject,
    schema: schema.integer({
      ...IMPORTANCE,
      description: 'What to do first: from its priority and level, and the exposure and data of the project.',
    }),
  },
  phase: {
    sql: sql`(SELECT p.item_id FROM phase p WHERE p.id = item.phase_id)`,
    schema: schema.string({ description: 'The phase it is due in; an object with `expand=phase`.', example: 'X3' }),
  },
  problem: {
    sql: sql`(SELECT w.item_id FROM weakness w WHERE w.id = item.weakness_id)`,
    schema: schema.nullable(
      schema.string({
        description:
          'The weakness that it addresses; an object with `include=problem` or `expand=problem`. Null if it ' +
          'is project-specific.',
        example: 'P4',
      }),
    ),
  },
  status: {
    sql: statusId,
    schema: schema.string({ description: 'Its status; an object with `expand=status`.', enum: TASK_STATUSES }),
  },
  verification_status: column(schema.string({ description: 'The verification status.', enum: VERIFICATION_STATUSES })),
  relevant: column(
    schema.boolean({
      description: 'Whether it is relevant to the project: by its survey and components, or because a user added it.',
    }),
    { filter: 'Whether it is relevant to the project.', sortable: true },
  ),
  relevant_via_survey: column(
    schema.boolean({ description: 'Whether answers, attributes or components make it relevant.' }),
    { filter: 'Whether the survey makes it relevant.' },
  ),
  accepted: column(
    schema.boolean({
      description: 'Whether the project has accepted it. By default, lists show only accepted ones.',
    }),
    { filter: 'Whether the project has accepted it.', sortable: true },
  ),
  manually_added_from_library: {
    sql: sql`item.manually_added`,
    schema: schema.boolean({ description: 'Whether someone added it from the library.' }),
  },
  project_specific: {
    sql: projectSpecific,
    schema: schema.boolean({ description: 'Whether it is project-specific: not in the library.' }),
  },
  ad_hoc: { sql: projectSpecific, schema: schema.boolean({ description: 'Former name of `project_specific`.' }) },
  assigned_to: {
    sql: jsonList(sql`SELECT ${assigneeObject} AS entry FROM project_countermeasure_assignee a
      JOIN user_account u ON u.id = a.user_id
      WHERE a.project_countermeasure_id = item.id ORDER BY lower(u.email)`),
    schema: schema.list(assigneeSchema, {
      description: 'The assigned users. Request bodies and filters use their e-mail addresses.',
    }),
  },
  note_count: {
    sql: sql`(SELECT count(*)::int FROM project_countermeasure_note n WHERE n.project_countermeasure_id = item.id)`,
    schema: schema.integer({ description: 'How many notes it has.' }),
  },
  artifact_proxy: column(
    schema.string({ description: 'Its counterpart in another system, such as an issue.', example: 'SHOP-123' }),
    { filter: true },
  ),
  became_relevant: nullableTimestampField(sql`item.became_relevant_at`, 'When it was added to the project.'),
  status_updated: nullableTimestampField(sql`item.status_updated_at`, 'When its status was last changed.'),
  updated: timestampField(sql`item.updated_at`, 'When it was last changed in the project.'),
  updater: {
    sql: userObject(sql`item.updated_by`),
    schema: schema.nullable({
      ...userReferenceSchema,
      description: 'The user who last changed it; null if no one has.',
    }),
  },
  library_task_created: nullableTimestampField(sql`item.library_created_at`, 'When it was created in the library.'),
  library_task_updated: nullableTimestampField(
    sql`item.library_updated_at`,
    'When it was last changed in the library.',
  ),
} satisfies Declaration['fields'];

const problemObject: Fields = {
  problem: { sql: weaknessObject(sql`item.weakness_id`), schema: schema.nullable(weaknessObjectSchema) },
};

const statusObject: Fields = {
  status: {
    sql: sql`(SELECT json_build_object('id', s.item_id, 'meaning', s.meaning, 'name', s.name, 'slug', s.slug, 'icon',
      s.icon)
      FROM task_status s WHERE s.id = item.status_id)`,
    schema: schema.object({
      id: schema.string({ enum: TASK_STATUSES }),
      meaning: schema.string({ example: 'DONE' }),
      name: schema.string({ example: 'Complete' }),
      slug: schema.string({ example: 'complete' }),
      icon: schema.string({ example: 'check' }),
    }),
  },
};

/** What all lists of countermeasures of projects have in common. */
export const projectCountermeasureDeclaration = {
  name: 'ProjectCountermeasure',
  key: { shape: PROJECT_COUNTERMEASURE_ID, column: publicId, order: idOrder, matches: hasId },
  fields,
  includes: {
    problem: problemObject,
    tags: { tags: { sql: sql`to_json(item.tags)`, schema: schema.list(schema.string(), { example: ['passwords'] }) } },
    ...partsIncludes,
  },
  expands: {
    phase: {
      phase: { sql: sql`(SELECT ${phaseObject('p')} FROM phase p WHERE p.id = item.phase_id)`, schema: phaseSchema },
    },
    problem: problemObject,
    project: { project: projectObject(sql`item.project_id`) },
    status: statusObject,
  },
  filters: {
    assigned_to: filters.related('Assigned to this user, by e-mail address or id.', assignedTo, {
      named: (pattern) => hasAssignee(sql`u.email ILIKE ${pattern}`),
    }),
    became_relevant: filters.timestamp(sql`item.became_relevant_at`, 'When it was added to the project.'),
    id: filters.publicId(publicId, PROJECT_COUNTERMEASURE_ID),
    importance: filters.integer(importanceInProject, 'Its importance in the project.', IMPORTANCE),
    manually_added_from_library: filters.boolean(sql`item.manually_added`, 'Whether a user added it from the library.'),
    ...contentFilters,
    project_specific: filters.boolean(projectSpecific, 'Whether it is project-specific.'),
    risk_relevant: filters.boolean(riskRelevant, 'Whether the risk policy of its project includes it.'),
    status: filters.choice(
      statusId,
      'Its status: the id, name or slug, in any case.',
      TASK_STATUSES,
      TASK_STATUS_NAMES,
    ),
    status_updated: filters.timestamp(sql`item.status_updated_at`, 'When its status was last changed.'),
    tag: filters.element(sql`item.tags`, 'Any of the tags given.', { type: 'text', repeatable: true }),
    task_id: filters.publicId(sql`item.task_id`, TASK_ID, 'Its id in the library.'),
    title: filters.text(sql`item.title`, 'Its title.'),
    updated: filters.timestamp(sql`item.updated_at`, 'When it was last changed in the project.'),
    verification: filters.choice(sql`item.verification_status`, 'The verification status.', VERIFICATION_STATUSES),
  },
  facets: countermeasureFacets,
  orderings: {
    id: idOrder,
    title: [sql`lower(item.title)`],
    became_relevant: [sql`item.became_relevant_at`],
    importance: [importanceInProject],
    phase: [sql`(SELECT p.ordinal FROM phase p WHERE p.id = item.phase_id)`],
    priority: [sql`item.priority`],
    status: [sql`item.status_id`],
    status_updated: [sql`item.status_updated_at`],
    updated: [sql`item.updated_at`],
    verification_status: [sql`array_position(${[...VERIFICATION_STATUSES]}::text[], item.verification_status)`],
  },
  defaultOrdering: 'id',
  search: { text: sql`item.task_id || E'\\n' || item.title`, fields: ['task_id', 'title'] },
  switches: ['absolute_urls', 'to_html'],
} as const;

const acceptedByDefault = filters.booleanOrAll(sql`item.accepted`, 'Whether the project has accepted it.', true);

const reasonInProject = inclusionReasonField((context) => visibleProjectId(context.within, context));

/** The countermeasures of the project in the path. */
export const projectCountermeasureProjection = projection({
  ...projectCountermeasureDeclaration,
  fields: { ...fields, inclusion_reason: reasonInProject },
  source: (context) => [
    {
      table: projectCountermeasures(context.organization),
      where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
    },
  ],
  filters: { ...projectCountermeasureDeclaration.filters, accepted: acceptedByDefault },
});

/** The countermeasures of a project whose relevance and acceptance differ: someone has to decide on them. */
export const countermeasureUpdateProjection = projection({
  ...projectCountermeasureDeclaration,
  fields: { ...fields, inclusion_reason: reasonInProject },
  source: (context) => [
    {
      table: projectCountermeasures(context.organization),
      where: sql`item.project_id = ${visibleProjectId(context.within, context)} AND item.accepted <> item.relevant`,
    },
  ],
});

/** The countermeasures that are assigned to the caller, in all unarchived projects that they can see. */
export const ownCountermeasureProjection = projection({
  ...projectCountermeasureDeclaration,
  fields: { ...fields, inclusion_reason: inclusionReasonField(() => sql`item.project_id`) },
  source: (context) => [
    {
      table: projectCountermeasures(context.organization),
      where: sql`item.id IN (SELECT a.project_countermeasure_id FROM project_countermeasure_assignee a
        WHERE a.user_id = ${context.user})
        AND item.project_id IN (SELECT p.id FROM project p WHERE NOT p.archived AND ${visibleProject('p', context)})`,
    },
  ],
  filters: {
    ...projectCountermeasureDeclaration.filters,
    accepted: acceptedByDefault,
    project: filters.integer(sql`item.project_id`, 'The project that it is in.'),
  },
});
