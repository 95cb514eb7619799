import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Actor } from '../kernel/actor.js';
import { authorOf } from '../kernel/operator.js';
import { domainEvent, raise } from '../kernel/domain-events.js';
import { ACTIVITIES, type ActivitySubject, type Verb } from './activities.js';
import { requestSource } from './request-source.js';

/** An item's public id, and its name at that time. */
interface NamedItem {
  readonly id: string | number;
  readonly description: string;
}

/** An activity to record: the action, and the item with its name at that time. */
export interface ActivityInput {
  readonly subject: ActivitySubject;
  readonly verb: Verb;
  /** The item's public id, and its title or name at this time. */
  readonly id: string | number;
  readonly title: string;
  /** Further items that the activity references, each with its name at this time. */
  readonly also?: Readonly<Record<string, NamedItem>>;
  /** Additional data. */
  readonly details?: Readonly<Record<string, object | string>>;
}

/** The name of an activity, such as `UpdatedStandardActivity`. */
export const activityName = ({ subject, verb }: Pick<ActivityInput, 'subject' | 'verb'>): string =>
  `${verb}${ACTIVITIES[subject].noun}Activity`;

/** Escapes the Markdown characters of a title or name for the text of an activity. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>]/g, '\\$&');

/** A relative link to the item, which works under any host name. The API has a redirect for each linked kind. */
const linkTo = (kind: string, { id, description }: NamedItem): string =>
  `[${escapeMarkdown(description)}](/activity-redirect/${kind}/${id}/)`;

/** Whether activities of the subject reference the project in which they happened. */
const isPlace = (subject: ActivitySubject): boolean =>
  subject !== 'project' && ACTIVITIES[subject].key === ACTIVITIES.project.key;

/** The location of an activity: a project, or the application that the project belongs to. */
const placeOf = ({ subject, also }: ActivityInput): string => {
  if (also?.project) return ` in ${linkTo('project', also.project)}`;
  return subject === 'project' && also?.application ? ` in ${linkTo('application', also.application)}` : '';
};

/**
 * `*Ada* updated countermeasure *Hash passwords*`. For `AddedUserTo`, it includes the user: `*Ada* added *Bob* to group
 * *Leads*`. For `Marked`, it says the status. For activities within a project, it ends with a link to the project.
 */
const describe = (actor: Actor, activityInput: ActivityInput): string => {
  const { subject, verb, id, title, also } = activityInput;
  // In texts, a reusable component is just a component.
  const words = verb
    .replace('Reusable', '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(' ');
  const phrase = words.map((word) => (also?.[word] ? `*${escapeMarkdown(also[word].description)}*` : word)).join(' ');
  const item = isPlace(subject) ? linkTo('project', { id, description: title }) : `*${escapeMarkdown(title)}*`;
  const result = verb === 'Marked' && also?.['status'] ? ` as *${escapeMarkdown(also['status'].description)}*` : '';
  const { words: kind } = ACTIVITIES[subject];
  return `*${escapeMarkdown(actor.name)}* ${phrase} ${kind} ${item}${result}${placeOf(activityInput)}`;
};

const dataOf = ({ subject, id, title, also, details }: ActivityInput): Record<string, string | number | object> => {
  const key = ACTIVITIES[subject].key;
  const data: Record<string, string | number | object> = { [key]: id, [`${key}_desc`]: title, ...details };
  for (const [name, other] of Object.entries(also ?? {})) {
    data[name] = other.id;
    data[`${name}_desc`] = other.description;
  }
  return data;
};

/** An activity that was written. */
export interface RecordedActivity {
  readonly id: string;
  readonly name: string;
}

/** Activities were written in this transaction. */
export const activitiesRecorded = domainEvent<readonly RecordedActivity[]>('activities recorded');

/**
 * Records one activity per input in the caller's transaction and raises `activitiesRecorded`, so that a change, its
 * activity and its consequences commit together. The table in `activities.ts` defines names, data and icons.
 */
export async function recordActivity(
  em: EntityManager,
  actor: Actor,
  ...activityInputs: readonly ActivityInput[]
): Promise<void> {
  if (!activityInputs.length) return;
  await raise(em, actor, activitiesRecorded, await writeActivities(em, actor, activityInputs));
}

/** Records one activity without raising an event; returns its id. */
export async function recordActivityWithoutEvent(
  em: EntityManager,
  actor: Actor,
  activityInput: ActivityInput,
): Promise<number> {
  const [written] = await writeActivities(em, actor, [activityInput]);
  return Number(written?.id);
}

async function writeActivities(
  em: EntityManager,
  actor: Actor,
  activityInputs: readonly ActivityInput[],
): Promise<readonly RecordedActivity[]> {
  const rows = activityInputs.map((activityInput) => ({
    name: activityName(activityInput),
    text: describe(actor, activityInput),
    data: dataOf(activityInput),
    icon: ACTIVITIES[activityInput.subject].icon,
    log_level: ACTIVITIES[activityInput.subject].logLevel,
  }));
  const source = requestSource();
  const { rows: written } = await sql<RecordedActivity>`${prepared}
    INSERT INTO activity (organization_id, actor_id, source, name, text, data, icon, log_level)
    SELECT ${actor.organizationId}::bigint, ${authorOf(actor)}::bigint,
      ${source ? JSON.stringify(source) : null}::jsonb, name, text, data, icon, log_level
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(name text, text text, data jsonb, icon text,
      log_level text)
    RETURNING id, name`.execute(em.getKysely());
  return written;
}
