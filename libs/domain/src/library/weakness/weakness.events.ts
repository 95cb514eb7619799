import { domainEvent } from '../../kernel/domain-events.js';

/** A custom weakness that is about to be deleted. */
export interface RemovedWeakness {
  readonly identity: number;
  /** Internal id of the weakness that replaces it, if the request names one. */
  readonly successor?: number;
}

/** A weakness was deactivated in the organization's library. */
export const weaknessDeactivated = domainEvent<{ readonly identity: number }>('weakness deactivated');

/** A custom weakness is about to be deleted. Handlers throw `Invalid` to prevent that. */
export const weaknessRemoved = domainEvent<RemovedWeakness>('weakness removed');
