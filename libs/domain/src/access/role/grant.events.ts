import { domainEvent } from '../../kernel/domain-events.js';

/** A change that gives someone, or takes from them, all that a group or user may do in projects. */
export interface ProjectGrant {
  readonly holder: 'group' | 'user';
  /** Internal id of the group or user. */
  readonly id: number;
  /** What gives the access, as the beginning of a sentence. */
  readonly what: string;
}

/** Access to projects is about to be granted or taken. Handlers throw `Forbidden` if the actor lacks any of it. */
export const projectAccessGranted = domainEvent<ProjectGrant>('project access granted');
