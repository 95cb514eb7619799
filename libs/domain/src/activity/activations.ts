import type { ActivitySubject } from './activities.js';
import type { ActivityInput } from './activity.js';

/**
 * The activities of a change of an item with an `active` flag: activating or deactivating it is an activity of its own,
 * in addition to the one for the other changes.
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

/** The names of fields that activate or deactivate an item. */
const SWITCHES: ReadonlySet<string> = new Set(['active', 'hidden']);

/** The activities of restoring a built-in item: all fields that the organization had changed count as changed. */
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
