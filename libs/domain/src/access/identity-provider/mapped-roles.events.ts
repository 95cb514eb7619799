import { domainEvent } from '../../kernel/domain-events.js';
import type { ProjectRole } from '../../kernel/permissions.js';
import type { Member } from '../group/membership.js';

/** A role in the projects of a business unit. */
export interface MappedRole {
  readonly businessUnitId: number;
  readonly role: ProjectRole;
}

/** All roles in projects that the groups of a user give them at a sign-in. */
export interface MappedRoles {
  readonly providerId: number;
  readonly member: Member;
  /** If a business unit comes twice, the first one counts. */
  readonly roles: readonly MappedRole[];
}

/** The roles in projects that a provider has given a user are replaced by these. */
export const projectRolesMapped = domainEvent<MappedRoles>('project roles mapped');

/** All roles in projects that a provider has given end, because it is deleted. */
export const mappedRolesEnded = domainEvent<{ readonly providerId: number }>('mapped roles ended');

/** Which of these business units exist? */
export const businessUnitsRequested = domainEvent<readonly number[], ReadonlySet<number>>('business units requested');
