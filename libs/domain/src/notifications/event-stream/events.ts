import { ACTIVITIES, type ActivitySubject, CLAIMS } from '../../activity/activities.js';
import { type Actor, may } from '../../kernel/actor.js';
import { userItemId } from '../../kernel/item-id.js';
import type { NewActivity } from './read-new-activities.js';

/** An event that a client receives. */
export type StreamEvent =
  | { readonly type: 'activity'; readonly data: NewActivity['shown'] }
  | { readonly type: 'job'; readonly data: JobEvent }
  | { readonly type: 'invalidate'; readonly data: Invalidation };

interface JobEvent {
  readonly kind: 'export_job' | 'import_job';
  readonly id: number;
  /** The state in which it ended; null while it has not. */
  readonly status: string | null;
}

/** What a client has to read again: items of these kinds, of one project or of none. */
export interface Invalidation {
  readonly kinds: readonly ActivitySubject[];
  readonly project: number | null;
}

const SUBJECTS = Object.keys(ACTIVITIES) as ActivitySubject[];

/** Tells a client to read everything again, because too much has changed to list it. */
export const EVERYTHING: StreamEvent = { type: 'invalidate', data: { kinds: SUBJECTS, project: null } };

const kindsByName = new Map<string, readonly ActivitySubject[]>();

/** The kinds that an activity can be about. Some have the same noun, such as a project and its members. */
function kindsOf(name: string): readonly ActivitySubject[] {
  const known = kindsByName.get(name);
  if (known) return known;
  const matching = SUBJECTS.filter((subject) => name.endsWith(`${ACTIVITIES[subject].noun}Activity`));
  const longest = Math.max(0, ...matching.map((subject) => ACTIVITIES[subject].noun.length));
  const kinds = matching.filter((subject) => ACTIVITIES[subject].noun.length === longest);
  kindsByName.set(name, kinds);
  return kinds;
}

const isForAdministrators = ({ shown }: NewActivity): boolean => shown.log_level === 'admin';

/** Whether someone sees all activities of the organization. A token can be limited to projects. */
const seesEverything = (actor: Actor): boolean => actor.projects === undefined && may(actor, 'view_all_projects');

/** Whether someone finds an activity in their own stream, that of the organization, or that of a project they see. */
const seesActivity = (actor: Actor, { shown, project }: NewActivity, projects: ReadonlySet<number>): boolean =>
  seesEverything(actor) ||
  (project !== null && projects.has(project)) ||
  ((actor.projects === undefined || (project !== null && actor.projects.includes(project))) &&
    (shown.actor === actor.id || shown.data.user === userItemId(actor.id)));

/** An activity as someone may see it, like in the activity stream. */
function shownTo(actor: Actor, { shown }: NewActivity): NewActivity['shown'] {
  if (!(CLAIMS in shown.data) || may(actor, 'manage_users')) return shown;
  const { [CLAIMS]: _claims, ...data } = shown.data;
  return { ...shown, data };
}

/**
 * Whether someone may know that items have changed: those of projects that they see, and those that belong to no
 * project, except what only administrators see.
 */
const seesKinds = (actor: Actor, activity: NewActivity, projects: ReadonlySet<number>): boolean =>
  activity.project === null ? !isForAdministrators(activity) || seesEverything(actor) : projects.has(activity.project);

function jobEventOf(actor: Actor, { shown }: NewActivity): StreamEvent[] {
  const [kind] = kindsOf(shown.name);
  if ((kind !== 'export_job' && kind !== 'import_job') || !may(actor, 'customize_content')) return [];
  const { job, status } = shown.data;
  return [{ type: 'job', data: { kind, id: Number(job), status: typeof status === 'string' ? status : null } }];
}

/**
 * The events of new activities for one user, in their order; at the end, what to read again.
 *
 * @param projects those of the activities' projects that the user can see
 */
export function eventsFor(
  actor: Actor,
  activities: readonly NewActivity[],
  projects: ReadonlySet<number>,
): StreamEvent[] {
  const events: StreamEvent[] = [];
  const invalid = new Map<number | null, Set<ActivitySubject>>();
  for (const activity of activities) {
    if (seesActivity(actor, activity, projects)) events.push({ type: 'activity', data: shownTo(actor, activity) });
    events.push(...jobEventOf(actor, activity));
    if (!seesKinds(actor, activity, projects)) continue;
    const kinds = invalid.get(activity.project) ?? new Set();
    for (const kind of kindsOf(activity.shown.name)) kinds.add(kind);
    invalid.set(activity.project, kinds);
  }
  for (const [project, kinds] of invalid)
    if (kinds.size) events.push({ type: 'invalidate', data: { kinds: [...kinds], project } });
  return events;
}
