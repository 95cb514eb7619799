import {
  CONNECTOR_NAME_MAXIMUM_LENGTH,
  SECRET_MASK,
  systemIdsOf,
} from '#domain/connections/connector/connector.rules.js';
import { BooleanField, Changes, ChoiceField, Facts, StringField, Nested } from '../../http/body/fields.js';

const EXPECTED = 'Expected an object of the form {"id": "…"}.';
const SYSTEM = { expected: EXPECTED, description: 'What it leads to: an object with an id, not the bare id.' };
const PARAMS =
  'How it is reached: at most 100 names of your own. `url` is http or https, without user name and query; ' +
  '`sonarqube` takes `url` and `token`. A few names are known to be public, such as `url`, `username` and `project`; ' +
  'everything else is kept encrypted and never answered.';

export class AnalysisSystem {
  @ChoiceField({ choices: systemIdsOf('analysis'), example: 'sonarqube' })
  id!: string;
}

export class IssueTrackerSystem {
  @ChoiceField({ choices: systemIdsOf('issue_tracker'), example: 'jira' })
  id!: string;
}

class Connector {
  @StringField({ maximum: CONNECTOR_NAME_MAXIMUM_LENGTH, example: 'Main server' })
  name!: string;

  @Facts({
    optional: true,
    default: {},
    description:
      `${PARAMS} A PATCH changes those that it names, and null takes one away. \`${SECRET_MASK}\` leaves a secret ` +
      'as it is. With another `url` or `system` the secrets must be sent anew.',
    example: { url: 'https://tools.example.com', token: 'squ_0123456789' },
  })
  params?: Record<string, unknown>;

  @BooleanField({ optional: true, default: false, description: 'Whether the service itself can not reach it.' })
  inaccessible?: boolean;
}

export class CreateAnalysisConnector extends Connector {
  @Nested(() => AnalysisSystem, SYSTEM)
  system!: AnalysisSystem;
}

export class ChangeAnalysisConnector extends Changes(CreateAnalysisConnector) {}

export class CreateIssueTrackerConnector extends Connector {
  @Nested(() => IssueTrackerSystem, SYSTEM)
  system!: IssueTrackerSystem;
}

export class ChangeIssueTrackerConnector extends Changes(CreateIssueTrackerConnector) {}

class Connection {
  @Facts({
    optional: true,
    default: {},
    description: PARAMS,
    example: { url: 'https://tools.example.com', token: 'squ_0123456789' },
  })
  params?: Record<string, unknown>;
}

export class TestAnalysisConnection extends Connection {
  @Nested(() => AnalysisSystem, SYSTEM)
  system!: AnalysisSystem;
}

export class TestIssueTrackerConnection extends Connection {
  @Nested(() => IssueTrackerSystem, SYSTEM)
  system!: IssueTrackerSystem;
}
