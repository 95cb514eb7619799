import {
  analysisConnectionFields,
  analysisConnectorFields,
  issueTrackerConnectionFields,
  issueTrackerConnectorFields,
} from '#domain/connections/connector/connector.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateAnalysisConnector extends BodyOf(analysisConnectorFields) {}

export class ChangeAnalysisConnector extends Changes(CreateAnalysisConnector) {}

export class CreateIssueTrackerConnector extends BodyOf(issueTrackerConnectorFields) {}

export class ChangeIssueTrackerConnector extends Changes(CreateIssueTrackerConnector) {}

export class TestAnalysisConnection extends BodyOf(analysisConnectionFields) {}

export class TestIssueTrackerConnection extends BodyOf(issueTrackerConnectionFields) {}
