import { activitiesRecorded } from '../activity/activity.js';
import { on } from '../kernel/domain-events.js';
import { phaseUsesRequested } from '../library/events/library.events.js';
import { connectionsOfPhase } from './tracker-connection/tracker-connection.commands.js';
import { wakeConnections } from './tracker-sync/sync-outbox.js';

export const connectionsSubscriptions = [
  on(activitiesRecorded, wakeConnections),
  on(phaseUsesRequested, connectionsOfPhase),
];
