import { REQUIRED } from '../../kernel/fields/field-checks.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivityWithoutEvent } from '../../activity/activity.js';
import { type Actor, may } from '../../kernel/actor.js';
import { assertFlag } from '../../access/flag/flags.js';
import { type FoundProject, inProject, projectFromBody } from '../../projects/project-access/find-project.js';
import { scheduleProjectRefresh, recordLibraryChange } from '../../projects/project-content/library-change.js';
import { Forbidden, Invalid } from '../../kernel/domain-errors.js';
import { writeTestDeliveries } from '../webhook/delivery.outbox.js';
import type { TriggerEventInput } from './trigger-event.fields.js';

/** Throws `Forbidden` if the actor lacks the rights that the event's effect requires elsewhere. */
export function assertMayTrigger(actor: Actor, event: unknown): void {
  if (event === 'library_refresh' && !may(actor, 'customize_content'))
    throw new Forbidden('Requires the permission "customize_content".');
  if (event !== 'webhook_test') return;
  if (!actor.isSuperUser) throw new Forbidden('Only super-users may do this.');
  assertFlag(actor, 'Webhooks');
}

/** The project of an event. Throws `Invalid`, `Forbidden`. */
async function projectOf(em: EntityManager, actor: Actor, input: TriggerEventInput): Promise<FoundProject | undefined> {
  const { event, project } = input;
  if (typeof project !== 'number') {
    if (event === 'project_refresh') throw new Invalid({ project: [REQUIRED] });
    return undefined;
  }
  // The survey determines the content of a project, so users who may change it may also recalculate the content.
  return projectFromBody(em, actor, project, event === 'project_refresh' ? 'survey' : undefined);
}

/** Records an event, which workers then process; returns the id of its activity. Throws `Invalid`, `Forbidden`. */
export async function triggerEvent(em: EntityManager, actor: Actor, input: TriggerEventInput): Promise<number> {
  const { event, data } = input;
  assertMayTrigger(actor, event);
  const project = await projectOf(em, actor, input);
  const id = await recordActivityWithoutEvent(em, actor, {
    subject: 'automation_event',
    verb: 'Triggered',
    id: event,
    title: event,
    ...(project && { also: inProject(project) }),
  });
  if (event === 'project_refresh' && project) await scheduleProjectRefresh(em, project.id);
  if (event === 'library_refresh') await recordLibraryChange(em, actor.organizationId);
  if (event === 'webhook_test') {
    const count = await writeTestDeliveries(em, actor.organizationId, id, data?.webhook);
    if (!count && data?.webhook !== undefined)
      throw new Invalid({ data: { webhook: [`There is no active webhook "${data.webhook}".`] } });
  }
  return id;
}
