import { domainEvent } from '../../kernel/domain-events.js';

/** A token is being limited to projects. Handlers throw `Invalid` if the actor cannot see one of them. */
export const tokenLimitedToProjects = domainEvent<{ readonly projects: readonly number[] }>(
  'token limited to projects',
);
