import type { Json } from '../support/client.js';
import { committedDocument, dereferenced, type JsonSchema } from '../support/document.js';

/** Closed sets that the specification names, by their place in the document, as clients generate types from them. */
const REPORT_SCHEMAS = [
  'all',
  'activity',
  'application',
  'countermeasure',
  'integration',
  'library',
  'project_survey_answers',
  'training',
  'trend_application',
  'trend_project',
  'trend_task',
  'user',
  'trend_projects',
  'trend_tasks',
];
const CHARTS = ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'];
const WEBHOOK_EVENTS = [
  'CreatedProjectActivity',
  'ProjectStatusChanged',
  'CountermeasureStatusChanged',
  'SurveyCompleted',
  'RiskPolicyComplianceChanged',
  'LibraryUpgraded',
];
const WEBHOOK_FORMATS = ['slack', 'mattermost', 'teams', 'standard'];
const ENUMS: readonly (readonly [place: string, values: readonly string[]])[] = [
  ...['CreateQuery', 'ChangeQuery', 'Query'].flatMap((name) => [
    [`${name}/properties/query/properties/schema`, REPORT_SCHEMAS] as const,
    [`${name}/properties/query/properties/order/anyOf/0/items/items/anyOf/1`, ['asc', 'desc']] as const,
    [`${name}/properties/query/properties/order/anyOf/1/additionalProperties`, ['asc', 'desc']] as const,
    [`${name}/properties/chart`, CHARTS] as const,
    [`${name}/properties/type`, ['D', 'T']] as const,
  ]),
  ['CreateWebhookConfig/properties/event_source', WEBHOOK_EVENTS],
  ['ChangeWebhookConfig/properties/event_source', WEBHOOK_EVENTS],
  ['CreateWebhook/properties/format', WEBHOOK_FORMATS],
  ['Webhook/properties/format', WEBHOOK_FORMATS],
  ['Webhook/properties/integration_type', ['slack']],
  ['WebhookDelivery/properties/status', ['pending', 'delivered', 'failed', 'cancelled']],
];

const DOCUMENT = committedDocument();

/** The value at a path of names, where a reference stands for the schema that it names. */
const at = (pointer: string): Json | undefined =>
  pointer
    .split('/')
    .reduce<Json | undefined>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? dereferenced((value as Record<string, JsonSchema>)[name] ?? {}, DOCUMENT)
          : undefined,
      (DOCUMENT.components as unknown as { schemas: Json }).schemas,
    );

describe('Enums in the document', () => {
  it.each(ENUMS)('contain exactly the specified values: %s', (pointer, values) => {
    expect(at(pointer)).toMatchObject({ enum: values });
  });
});
