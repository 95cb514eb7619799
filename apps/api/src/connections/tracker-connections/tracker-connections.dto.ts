import { trackerConnectionFields } from '#domain/connections/tracker-connection/tracker-connection.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateTrackerConnection extends BodyOf(trackerConnectionFields) {}

export class ChangeTrackerConnection extends Changes(CreateTrackerConnection) {}
