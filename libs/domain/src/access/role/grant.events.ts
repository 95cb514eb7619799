import { domainEvent } from '../../kernel/domain-events.js';

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
