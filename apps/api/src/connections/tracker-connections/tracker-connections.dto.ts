import { trackerConnectionFields } from '#domain/connections/tracker-connection/tracker-connection.fields.js';
import { boolean } from '#domain/kernel/fields/fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateTrackerConnection extends BodyOf(trackerConnectionFields) {}

export class TestTrackerConnection extends BodyOf({
  create_issue: boolean({
    optional: true,
    description:
      'Whether to create an issue and close it, if the connection has all that it needs. ' +
      'By default, nothing is written.',
  }),
}) {}

export class ChangeTrackerConnection extends Changes(CreateTrackerConnection) {}
