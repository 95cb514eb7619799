import { accessSubscriptions } from './access/access.subscriptions.js';
import { connectionsSubscriptions } from './connections/connections.subscriptions.js';
import { librarySubscriptions } from './library/library.subscriptions.js';
import { notificationsSubscriptions } from './notifications/notifications.subscriptions.js';
import { projectsSubscriptions } from './projects/projects.subscriptions.js';

/**
 * The subscriptions of all contexts, from the lowest context to the highest: the order in which handlers of an event
 * run.
 */
export const subscriptions = [
  ...accessSubscriptions,
  ...librarySubscriptions,
  ...projectsSubscriptions,
  ...notificationsSubscriptions,
  ...connectionsSubscriptions,
];
