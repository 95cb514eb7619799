import { activationsOf } from '#domain/activity/activations.js';
import type { ActivityInput } from '#domain/activity/activity.js';
import type { Applied } from './applied.js';
import type { Plan } from '../plans/plan.js';

/** Titles that are told may be long texts: of questions, for one. */
const LONGEST_TITLE = 500;

/** What happened to an item, as its own command would tell it. */
export function activityInputsOf(plan: Plan, { id, changes, created }: Applied, title: string): ActivityInput[] {
  const { subject } = plan;
  const item = {
    id: plan.kind === 'workflow_prompt' ? Number(id) : id,
    title: Array.from(title).slice(0, LONGEST_TITLE).join(''),
  };
  if (created) return [{ subject, verb: 'Created', ...item }];
  const { field, off } = plan.switch ?? {};
  const { [field ?? '']: switched, ...others } = changes;
  if (!switched) return [{ subject, verb: 'Updated', ...item }];
  return activationsOf(subject, item, { ...others, active: switched.to !== off }, switched.from !== off);
}
