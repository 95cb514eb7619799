import type { Json } from '../support/client.js';
import { dereferenced, type JsonSchema, type OpenApiDocument, type Operation } from '../support/document.js';
import type { Id } from '../property/places.js';
import type { Pool } from '../property/values.js';

const BASE = '/api/v2';
const at = (...paths: string[]): string[] => paths.map((path) => `${BASE}${path}`);

const ANSWERS = at('/library/answers');
const ATTRIBUTES = at('/library/attributes');
const COUNTERMEASURES = at('/library/tasks');
const EMAILS = ['emails'];
const GROUPS = at('/groups');
const POLICIES = at('/risk-policies');
const PROJECTS = at('/projects');
const USERS = at('/users');
const WEAKNESSES = at('/library/problems');

/** Fields of bodies that contain ids, and where the pool has such ids. */
const NAMING: Readonly<Record<string, readonly string[]>> = {
  answer_mapping: ANSWERS,
  application: at('/applications'),
  assigned_to: EMAILS,
  'assigned_to.email': EMAILS,
  'attributes.id': ATTRIBUTES,
  base_project: PROJECTS,
  business_unit: at('/business-units'),
  component_ids: at('/library/components'),
  'component_questions.parent_answer': ['component_answer'],
  'component_questions.question': at('/library/componentquestions'),
  'changes.assigned_to.email': EMAILS,
  connection: at('/connectors/analysis'),
  connector: at('/connectors/issue-tracker', '/connectors/analysis'),
  'data.webhook': at('/webhooks'),
  'default_groups.id': GROUPS,
  default_risk_policy: POLICIES,
  default_role: at('/global-roles'),
  'default_users.email': EMAILS,
  'default_users.id': USERS,
  email: EMAILS,
  'filters.phases': at('/phases'),
  'group_mappings.business_unit': at('/business-units'),
  'group_mappings.merlon_group': GROUPS,
  'group_mappings.role': at('/global-roles'),
  groups: GROUPS,
  'groups.id': GROUPS,
  implied_attributes: ATTRIBUTES,
  'match_conditions.excluded': ANSWERS,
  'match_conditions.excluded_attributes': ATTRIBUTES,
  'match_conditions.required': ANSWERS,
  'match_conditions.required_attributes': ATTRIBUTES,
  new_weakness_id: WEAKNESSES,
  order: at('/library/tasks/{task}/amendments'),
  parent: [...ATTRIBUTES, ...PROJECTS],
  phase: at('/phases'),
  phases: at('/phases'),
  problem: WEAKNESSES,
  problems: WEAKNESSES,
  profile: at('/profiles'),
  project: PROJECTS,
  projects: PROJECTS,
  question: at('/library/questions'),
  reference: COUNTERMEASURES,
  risk_policy: POLICIES,
  role: at('/global-roles'),
  task_id: COUNTERMEASURES,
  tasks_implemented: COUNTERMEASURES,
  tasks_introduced: COUNTERMEASURES,
  users: USERS,
  'users.email': EMAILS,
  'users.id': USERS,
  weakness: WEAKNESSES,
};

/** Fields that have a meaning only together with another one. */
const COMPANIONS: Readonly<Record<string, object>> = {
  'data.webhook': { event: 'webhook_test' },
  reference: { content_type: 'library_item' },
};

/** Fields that contain no ids, or only ids of items that all organizations share. */
const SAYING: ReadonlySet<string> = new Set([
  'analysis_session',
  // Its names are ids of answers, which the tests of the preview cover.
  'answers',
  'artifact_proxy',
  'attributes.reason',
  'branch',
  'capecs',
  'changes.note',
  'changes.status',
  'changes.tags',
  'chart_meta.columnOrder',
  'claims.email',
  'claims.first_name',
  'claims.groups',
  'claims.last_name',
  'client_id',
  'client_secret',
  'composite_request.body',
  'composite_request.path',
  'composite_request.reference_id',
  'conditions.statuses.task_status',
  'current_password',
  'cwe',
  'description',
  'diagram_data',
  'domains',
  'fields',
  'file',
  'filters.priority',
  'filters.tags',
  'finding_ref',
  'findings_ref',
  'findings.count',
  'findings.desc',
  'first_name',
  'format',
  'group_mappings.group',
  'icon_slug',
  // Countermeasures of the project in the path. Each id of another project is reported, and the others are changed.
  'ids',
  'integration_type',
  'issue_type',
  'issuer',
  'keep_tokens',
  'labels',
  'last_name',
  'level',
  'maestro',
  // An id that the item does not have creates a new condition.
  'match_conditions.id',
  'max_days',
  'min_priority',
  'mitre_attack',
  'mitre_emb3d',
  'name',
  'new_password',
  'none',
  // The name of one's own organization, and the secret of a setup link.
  'organization',
  'ordinal',
  'page',
  'password',
  'priority',
  'priority_map',
  'project_key',
  'prompt',
  'query',
  'query.dimensions',
  'query.filters',
  'query.limit',
  'query.measures',
  'query.offset',
  'query.order',
  'query.schema',
  'query.segments',
  'query.timeDimensions.dimension',
  'query.time_dimensions.dimension',
  'query.timezone',
  'reason',
  'references',
  'report_file',
  'repository_url',
  'return_to',
  'reviewed_at',
  'risk_rating',
  'rule_pattern',
  'scopes',
  'severity',
  'shared',
  'status',
  'status_note',
  'status_to_tracker',
  'stride',
  'system',
  'system.id',
  'tags',
  'text',
  'tip',
  'title',
  'title_format',
  'token',
  'tracker_to_status',
  'url',
  'variables',
  'versions',
]);

/** A field of a body, by its path. */
export interface BodyField {
  readonly names: readonly string[];
  readonly schema: JsonSchema;
}

const keyOf = ({ names }: BodyField): string => names.join('.');

type Properties = Readonly<Record<string, JsonSchema>>;

/** The properties of a schema; undefined if it is not an object, or an object with any properties. */
function propertiesOf(schema: JsonSchema, document: OpenApiDocument): Properties | undefined {
  const resolved = dereferenced(schema, document);
  const parts = (resolved['allOf'] ?? []) as JsonSchema[];
  if (parts.length) return Object.assign({}, ...parts.map((part) => propertiesOf(part, document))) as Properties;
  const properties = resolved['properties'] as Properties | undefined;
  return properties && Object.keys(properties).length ? properties : undefined;
}

function fieldsIn(schema: JsonSchema, document: OpenApiDocument, names: readonly string[]): BodyField[] {
  const resolved = dereferenced(schema, document);
  if (resolved['type'] === 'array') return fieldsIn(resolved['items'] as JsonSchema, document, names);
  const properties = propertiesOf(resolved, document);
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) => fieldsIn(member, document, [...names, name]));
  return [{ names, schema: resolved }];
}

/** The schema of an operation's body; undefined if it has none. */
export function bodyOfOperation({ requestBody }: Operation): JsonSchema | undefined {
  const { content } = requestBody ?? {};
  return (content?.['application/json'] ?? content?.['multipart/form-data'])?.schema;
}

/** The fields of an operation's body, except those with enumerated or free-form values. */
function openFieldsOf(operation: Operation, document: OpenApiDocument): BodyField[] {
  const schema = bodyOfOperation(operation);
  return (schema ? fieldsIn(schema, document, []) : []).filter(
    ({ schema: { type, enum: choices, format, additionalProperties } }) =>
      !choices && type !== 'boolean' && format !== 'date-time' && additionalProperties !== true,
  );
}

/** The fields of an operation's body that contain ids. */
export const namingFieldsOf = (operation: Operation, document: OpenApiDocument): BodyField[] =>
  openFieldsOf(operation, document).filter((field) => keyOf(field) in NAMING);

/** The fields of an operation's body that are not yet classified as containing ids or not. */
export const unknownFieldsOf = (operation: Operation, document: OpenApiDocument): string[] =>
  openFieldsOf(operation, document)
    .map(keyOf)
    .filter((key) => !(key in NAMING) && !SAYING.has(key));

/** The first id of the pool that fits a field. */
export function idFor(field: BodyField, pool: Pool, isWanted: (id: Id) => boolean): Id | undefined {
  const type = field.schema['type'] === 'integer' ? 'number' : 'string';
  return (NAMING[keyOf(field)] ?? [])
    .flatMap((poolKey) => pool[poolKey] ?? [])
    .find((id) => isWanted(id) && typeof id === type);
}

/** A value of a schema with this id at the path `names`, and with all required properties. */
function holding(schema: JsonSchema, document: OpenApiDocument, [name, ...rest]: readonly string[], id: Id): Json {
  const resolved = dereferenced(schema, document);
  if (resolved['type'] === 'array')
    return [holding(resolved['items'] as JsonSchema, document, name === undefined ? [] : [name, ...rest], id)];
  if (name === undefined) return id;
  const properties = propertiesOf(resolved, document) ?? {};
  const required = (resolved['required'] ?? []) as string[];
  const others = required.map((other) => {
    const member = dereferenced(properties[other] ?? {}, document);
    return [other, (member['enum'] as Json[] | undefined)?.[0] ?? member['example'] ?? 'x'];
  });
  return {
    ...(Object.fromEntries(others) as object),
    [name]: holding(properties[name] ?? {}, document, rest, id),
  };
}

/** A body with this id in one of its fields. */
export function bodyNaming(
  operation: Operation,
  document: OpenApiDocument,
  field: BodyField,
  id: Id,
  body: object,
): object {
  const [top = '', ...rest] = field.names;
  const member = propertiesOf(bodyOfOperation(operation) ?? {}, document)?.[top] ?? {};
  return { ...body, ...COMPANIONS[keyOf(field)], [top]: holding(member, document, rest, id) };
}
