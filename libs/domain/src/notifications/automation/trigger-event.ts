import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivityWithoutEvent } from '../../activity/activity.js';
import { type Actor, may } from '../../kernel/actor.js';
import { assertFlag } from '../../access/flag/flags.js';
import { type FoundProject, inProject, projectNamed } from '../../projects/project-access/find-project.js';
import { makeProjectDue, noteLibraryChange } from '../../projects/project-content/library-change.js';
import { Forbidden, Invalid } from '../../kernel/domain-errors.js';
import { writeTestDeliveries } from '../webhook/delivery.outbox.js';
import type { TriggerEventInput } from './trigger-event.fields.js';

/** Throws `Forbidden` without the rights that what the event leads to takes by another way. */
export function assertEvent(actor: Actor, event: unknown): void {
  if (event === 'library_refresh' && !may(actor, 'customize_content'))
    throw new Forbidden('This takes the permission "customize_content".');
  if (event !== 'webhook_test') return;
  if (!actor.isSuperUser) throw new Forbidden('Only super-users may do this.');
  assertFlag(actor, 'Webhooks');
}

/** The project that an event names. Throws `Invalid`, `Forbidden`. */
async function projectOf(em: EntityManager, actor: Actor, input: TriggerEventInput): Promise<FoundProject | undefined> {
  const { event, project } = input;
  if (typeof project !== 'number') {
    if (event === 'project_refresh') throw new Invalid({ project: ['This field is required.'] });
    return undefined;
  }
  // What a project contains follows from its survey: whoever may change that may have it worked out again.
  return projectNamed(em, actor, project, event === 'project_refresh' ? 'survey' : undefined);
}

/**
 * Takes an event up: workers do what it asks for, after the commit. Returns the number of the activity that records
 * it. Throws `Invalid`, `Forbidden`.
 */
export async function triggerEvent(em: EntityManager, actor: Actor, input: TriggerEventInput): Promise<number> {
  const { event, data } = input;
  assertEvent(actor, event);
  const project = await projectOf(em, actor, input);
  const id = await recordActivityWithoutEvent(em, actor, {
    subject: 'automation_event',
    verb: 'Triggered',
    id: event,
    title: event,
    ...(project && { also: inProject(project) }),
  });
  if (event === 'project_refresh' && project) await makeProjectDue(em, project.id);
  if (event === 'library_refresh') await noteLibraryChange(em, actor.organizationId);
  if (event === 'webhook_test') {
    const count = await writeTestDeliveries(em, actor.organizationId, id, data?.webhook);
    if (!count && data?.webhook !== undefined)
      throw new Invalid({ data: { webhook: [`There is no active webhook "${data.webhook}".`] } });
  }
  return id;
}
