import type { ActivitySubject } from './activities.js';
import type { Happening } from './activity.js';

/**
 * What a change of an item with an `active` flag is told as: switching it on or off is an activity of its own, and so
 * is a change of anything else; a change that does both is told as both.
 */
export function activationsOf(
  subject: ActivitySubject,
  item: Pick<Happening, 'id' | 'title' | 'also'>,
  changes: { readonly active?: boolean },
  wasActive: boolean,
): Happening[] {
  const switched = changes.active !== undefined && changes.active !== wasActive;
  const others = Object.keys(changes).some((field) => field !== 'active');
  const happenings: Happening[] = [];
  if (others || !switched) happenings.push({ subject, verb: 'Updated', ...item });
  if (switched) happenings.push({ subject, verb: changes.active ? 'Activated' : 'Deactivated', ...item });
  return happenings;
}
