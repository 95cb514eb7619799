import { domainEvent } from '../../kernel/domain-events.js';

/** A deleted group, as subscribers need it. */
export interface RemovedGroup {
  readonly id: number;
  /** Its public id. */
  readonly itemId: string;
  readonly name: string;
}

/** A group is about to be deleted. */
export const groupRemoved = domainEvent<RemovedGroup>('group removed');

/** An organization is being created. Handlers add what every organization starts with. */
export const organizationCreated = domainEvent<{ readonly organizationId: number }>('organization created');

/** A change that gives or takes the project access of a group or user to or from someone. */
export interface ProjectGrant {
  readonly holder: 'group' | 'user';
  /** Internal id of the group or user. */
  readonly id: number;
  /** The source of the access, as the beginning of an error message. */
  readonly what: string;
}

/** Access to projects is about to be granted or revoked. Handlers throw `Forbidden` if the actor lacks any of it. */
export const projectAccessGranted = domainEvent<ProjectGrant>('project access granted');

/** A token is being limited to projects. Handlers throw `Invalid` if the actor cannot see one of them. */
export const tokenLimitedToProjects = domainEvent<{ readonly projects: readonly number[] }>(
  'token limited to projects',
);

/** A user's password was replaced: whoever knew the old one must lose access. */
export interface PasswordReplacement {
  readonly userId: number;
  /** Whether the user's tokens stay valid. */
  readonly keepTokens: boolean;
}

export const passwordReplaced = domainEvent<PasswordReplacement>('password replaced');

/** A user was deactivated. */
export const userDeactivated = domainEvent<{ readonly userId: number }>('user deactivated');
