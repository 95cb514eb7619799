import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf, restorationOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { customId } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import {
  changeVersion,
  deleteIdentity,
  firstVersion,
  newIdentity,
  restore,
  type Version,
  versionToChange,
  versionToRemove,
} from '../customization/customization.commands.js';
import { raise } from '../../kernel/domain-events.js';
import type { RemovedCountermeasure } from '../countermeasure/countermeasure.events.js';
import { componentRemoved } from './component.events.js';
import { ErrorCollector, Invalid } from '../../kernel/domain-errors.js';
import { ComponentVersion } from './component.entity.js';
import {
  checkIcon,
  countermeasureIds,
  resolveAnswer,
  resolveList,
  resolveQuestionnaire,
} from './component.references.js';
import {
  type QuestionnaireEntry,
  DEFAULT_ICON,
  FIXED_ATTRIBUTES,
  FIXED_ICON,
  inBoth,
  refuseOverlap,
} from './component.rules.js';

/** A component as a client gives it, checked for shape: public ids, JSON's names. */
export interface ComponentInput {
  readonly title: string;
  readonly description?: string;
  readonly answer_mapping?: string | null;
  readonly tasks_implemented?: readonly string[];
  readonly tasks_introduced?: readonly string[];
  readonly hidden?: boolean;
  readonly implied_attributes?: readonly string[];
  /** The whole questionnaire. */
  readonly component_questions?: readonly QuestionnaireEntry[];
  readonly icon_slug?: string;
}

/** The lists of countermeasures of a component, by internal ids. */
type TaskLists = Pick<ComponentVersion, 'tasksImplemented' | 'tasksIntroduced'>;

const NO_TASKS: TaskLists = { tasksImplemented: [], tasksIntroduced: [] };

/** Some fields of what ships are part of it. Throws `Invalid` where one is sent. */
async function refuseFixed(changes: Partial<ComponentInput>): Promise<void> {
  const errors = {
    ...(changes.icon_slug !== undefined && { icon_slug: [FIXED_ICON] }),
    ...(changes.implied_attributes !== undefined && { implied_attributes: [FIXED_ATTRIBUTES] }),
  };
  if (Object.keys(errors).length) throw new Invalid(errors);
}

/** The lists of a version that is locked. */
async function taskListsOf(em: EntityManager, { id }: Pick<Version, 'id'>): Promise<TaskLists> {
  const { rows } = await sql<Record<'tasks_implemented' | 'tasks_introduced', string[]>>`
    SELECT tasks_implemented, tasks_introduced FROM component_version WHERE id = ${id}`.execute(em.getKysely());
  return {
    tasksImplemented: (rows[0]?.tasks_implemented ?? []).map(Number),
    tasksIntroduced: (rows[0]?.tasks_introduced ?? []).map(Number),
  };
}

/** Throws `Invalid` where a countermeasure would be in both lists. */
async function checkOverlap(em: EntityManager, { tasksImplemented, tasksIntroduced }: TaskLists): Promise<void> {
  refuseOverlap(await countermeasureIds(em, inBoth(tasksImplemented, tasksIntroduced)));
}

/**
 * Finds what the input refers to, as values of a version, and holds its lists against those that the version has.
 * Throws `Invalid` with everything that does not exist; where all does, with what does not fit together.
 *
 * @param version the one that changes, locked; none for a new component
 */
async function resolveReferences(em: EntityManager, actor: Actor, input: Partial<ComponentInput>, version?: Version) {
  const findings = new ErrorCollector();
  await findings.of(version?.isCustom === false ? refuseFixed(input) : checkIcon(em, input.icon_slug));
  const answerId = await findings.of(resolveAnswer(em, actor, input.answer_mapping));
  const list = (field: 'tasks_implemented' | 'tasks_introduced' | 'implied_attributes') =>
    findings.of(resolveList(em, actor, field, input[field]));
  const tasksImplemented = await list('tasks_implemented');
  const tasksIntroduced = await list('tasks_introduced');
  const impliedAttributes = await list('implied_attributes');
  const questionnaire = await findings.of(resolveQuestionnaire(em, actor, input.component_questions));
  findings.refuse();
  const lists = { ...(tasksImplemented && { tasksImplemented }), ...(tasksIntroduced && { tasksIntroduced }) };
  if (tasksImplemented || tasksIntroduced)
    await checkOverlap(em, { ...(version ? await taskListsOf(em, version) : NO_TASKS), ...lists });
  return {
    ...lists,
    ...(answerId !== undefined && { answerId }),
    ...(impliedAttributes && { impliedAttributes }),
    ...questionnaire,
  };
}

/** Makes a custom component; returns its public id. Throws `Invalid`. */
export async function createComponent(em: EntityManager, actor: Actor, input: ComponentInput): Promise<string> {
  const references = await resolveReferences(em, actor, input);
  const { identity, number } = await newIdentity(em, actor, 'component');
  const version = em.create(ComponentVersion, {
    ...firstVersion(actor, number),
    componentId: identity,
    title: input.title,
    text: input.description ?? '',
    active: !(input.hidden ?? true),
    category: '',
    iconSlug: input.icon_slug ?? DEFAULT_ICON,
    ...NO_TASKS,
    impliedAttributes: [],
    questions: [],
    parentAnswers: [],
    ...references,
  });
  await em.flush();
  const id = customId('component', number);
  await recordActivity(em, actor, { subject: 'component', verb: 'Created', id, title: version.title });
  return id;
}

/** Changes a component: a built-in one for the actor's organization alone. Throws `NotFound`, `Invalid`. */
export async function updateComponent(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ComponentInput>,
): Promise<void> {
  const fields = Object.keys(changes);
  if (!fields.length) return;
  const version = await versionToChange(em, actor, 'component', ComponentVersion, id);
  const references = await resolveReferences(em, actor, changes, version);
  const { hidden, ...others } = changes;
  const active = hidden === undefined ? {} : { active: !hidden };
  const { title, description: text, icon_slug: iconSlug } = others;
  const values = { title, text, iconSlug, ...active, ...references };
  const changed = await changeVersion(em, actor, ComponentVersion, version, values, fields);
  const told = { ...others, ...active };
  await recordActivity(em, actor, ...activationsOf('component', { id, title: changed.title }, told, version.active));
}

/**
 * Deletes a custom component; drops the organization's version of a built-in one. Throws `NotFound`, and `Forbidden`
 * for a built-in one without changes.
 */
export async function removeComponent(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'component', id);
  if (!version.isCustom) {
    const original = await restore(em, 'component', version);
    return recordActivity(em, actor, ...restorationOf('component', { id }, version, original));
  }
  await raise(em, actor, componentRemoved, { identity: version.identity, id, title: version.title });
  await deleteIdentity(em, 'component', version.identity);
  return recordActivity(em, actor, { subject: 'component', verb: 'Deleted', id, title: version.title });
}

/**
 * Takes a countermeasure that is about to be deleted out of the organization's components. Who names it in a component
 * meanwhile waits, and then finds it gone.
 */
export async function takeOutOfComponents(
  em: EntityManager,
  actor: Actor,
  { identity: countermeasureId }: RemovedCountermeasure,
): Promise<void> {
  const database = em.getKysely();
  await sql`SELECT 1 FROM countermeasure WHERE id = ${countermeasureId} FOR UPDATE`.execute(database);
  const named = sql`ARRAY[${countermeasureId}::bigint]`;
  const changed = (['tasks_implemented', 'tasks_introduced'] as const).map(
    (field) => sql`CASE WHEN ${sql.ref(field)} @> ${named} AND NOT changed_fields @> ARRAY[${field}::text]
      THEN ARRAY[${field}::text] ELSE '{}' END`,
  );
  const { rows } = await sql<{ item_id: string; title: string }>`
    UPDATE component_version SET
      tasks_implemented = array_remove(tasks_implemented, ${countermeasureId}::bigint),
      tasks_introduced = array_remove(tasks_introduced, ${countermeasureId}::bigint),
      changed_fields = changed_fields || ${sql.join(changed, sql` || `)},
      updated_by = ${authorOf(actor)}, updated_at = clock_timestamp()
    WHERE organization_id = ${actor.organizationId} AND (tasks_implemented @> ${named} OR tasks_introduced @> ${named})
    RETURNING item_id, title`.execute(database);
  await recordActivity(
    em,
    actor,
    ...rows.map(({ item_id: id, title }) => ({ subject: 'component' as const, verb: 'Updated' as const, id, title })),
  );
}
