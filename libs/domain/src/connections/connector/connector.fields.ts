import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, line, object } from '../../kernel/fields/fields.js';
import { openObject } from '../../kernel/fields/free-fields.js';
import { SECRET_MASK, systemIdsOf } from './connector.rules.js';

const EXPECTED = 'Expected an object of the form {"id": "…"}.';
const SYSTEM = { expected: EXPECTED, description: 'The item that it links to: an object with an id, not just the id.' };
const PARAMS =
  'How to reach it: at most 100 parameters. `url` is http or https, without user name and query; ' +
  '`sonarqube` requires `url` and `token`. A few names are public, such as `url`, `username` and `project`; ' +
  'all others are stored encrypted and never returned.';

const analysisSystem = object(
  'AnalysisSystem',
  { id: choice(systemIdsOf('analysis'), { example: 'sonarqube' }) },
  SYSTEM,
);

const issueTrackerSystem = object(
  'IssueTrackerSystem',
  { id: choice(systemIdsOf('issue_tracker'), { example: 'jira' }) },
  SYSTEM,
);

const connectorFields = {
  name: line({ maximum: 255, example: 'Main server' }),
  params: openObject({
    optional: true,
    default: {},
    description:
      `${PARAMS} A PATCH changes only those that it contains; null removes one. \`${SECRET_MASK}\` keeps a secret. ` +
      'If `url` or `system` changes, send the secrets again.',
    example: { url: 'https://tools.example.com', token: 'squ_0123456789' },
  }),
  inaccessible: boolean({
    optional: true,
    default: false,
    description: 'Whether the service cannot reach it.',
  }),
};

export const analysisConnectorFields = {
  ...connectorFields,
  system: analysisSystem,
};

export const issueTrackerConnectorFields = {
  ...connectorFields,
  system: issueTrackerSystem,
};

const params = openObject({
  optional: true,
  default: {},
  description: PARAMS,
  example: { url: 'https://tools.example.com', token: 'squ_0123456789' },
});

export const analysisConnectionFields = { params, system: analysisSystem };
export const issueTrackerConnectionFields = { params, system: issueTrackerSystem };

export type ConnectorInput = InputOf<typeof analysisConnectorFields>;
