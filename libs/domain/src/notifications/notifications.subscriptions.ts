import { activitiesRecorded } from '../activity/activity.js';
import { on } from '../kernel/domain-events.js';
import { writeDeliveries } from './webhook/delivery.outbox.js';

export const notificationsSubscriptions = [on(activitiesRecorded, writeDeliveries)];
