import type { ActivitySubject } from './activities.js';
import type { ActivityInput } from './activity.js';

/**
 * What a change of an item with an `active` flag is told as: switching it on or off is an activity of its own, and so
 * is a change of anything else; a change that does both is told as both.
 */
export function activationsOf(
  subject: ActivitySubject,
  item: Pick<ActivityInput, 'id' | 'title' | 'also'>,
  changes: { readonly active?: boolean },
  wasActive: boolean,
): ActivityInput[] {
  const switched = changes.active !== undefined && changes.active !== wasActive;
  const others = Object.keys(changes).some((field) => field !== 'active');
  const activityInputs: ActivityInput[] = [];
  if (others || !switched) activityInputs.push({ subject, verb: 'Updated', ...item });
  if (switched) activityInputs.push({ subject, verb: changes.active ? 'Activated' : 'Deactivated', ...item });
  return activityInputs;
}

/** What switches an item, as the changes of its version name it. */
const SWITCHES: ReadonlySet<string> = new Set(['active', 'hidden']);

/**
 * What the return of a built-in item to its original is told as: the change of all that the organization had changed.
 */
export function restorationOf(
  subject: ActivitySubject,
  item: Pick<ActivityInput, 'id' | 'also'>,
  version: { readonly changedFields: readonly string[]; readonly active: boolean },
  { title, active }: { readonly title: string; readonly active: boolean },
): ActivityInput[] {
  const others = version.changedFields.filter((field) => !SWITCHES.has(field));
  const changes = { ...Object.fromEntries(others.map((field) => [field, true])), active };
  return activationsOf(subject, { ...item, title }, changes, version.active);
}
