import * as schema from '#query/schema.js';
import {
  analysisConnectionFields,
  analysisConnectorFields,
  issueTrackerConnectionFields,
  issueTrackerConnectorFields,
} from '#domain/connections/connector/connector.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

/** Schema of the result of a connection test. */
export const TEST_RESPONSE = schema.object({
  success: schema.boolean({ example: true }),
  error: schema.nullable(schema.string({ description: 'What the tool or the network reported.', example: null })),
});

export class CreateAnalysisConnector extends BodyOf(analysisConnectorFields) {}

export class ChangeAnalysisConnector extends Changes(CreateAnalysisConnector) {}

export class CreateIssueTrackerConnector extends BodyOf(issueTrackerConnectorFields) {}

export class ChangeIssueTrackerConnector extends Changes(CreateIssueTrackerConnector) {}

export class TestAnalysisConnection extends BodyOf(analysisConnectionFields) {}

export class TestIssueTrackerConnection extends BodyOf(issueTrackerConnectionFields) {}
