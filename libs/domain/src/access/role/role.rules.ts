import { PERMISSIONS, type Permission } from '../../kernel/permissions.js';

/** Unicode code points of the name of a role or group. */
export const MAX_NAME_LENGTH = 200;

/** Unicode code points of the description of a role or group. */
export const MAX_DESCRIPTION_LENGTH = 1024;

/** Error for a change of a built-in role. */
export const FIXED_ROLE = "Built-in roles can't be changed or deleted.";

/** The role of a new user if none is given. */
export const DEFAULT_ROLE = 'UR1';

/** The role of an organization's first user. */
export const ADMINISTRATOR_ROLE = 'UR4';

interface BuiltInRole {
  /** The number of its id: 4 of `UR4`. */
  readonly number: number;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

/** The built-in roles, which organizations cannot change. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { number: 1, name: 'User', description: 'Reads the library and works in their own projects.', permissions: [] },
  {
    number: 2,
    name: 'Project Lead',
    description: 'Creates projects and works in all of them.',
    permissions: ['add_project', 'edit_all_projects', 'view_all_projects'],
  },
  { number: 4, name: 'Administrator', description: 'Has every permission.', permissions: PERMISSIONS },
  { number: 5, name: 'No Role', description: 'Has no permission of its own.', permissions: [] },
];

/** Sorts permissions and removes duplicates. */
export const cleanPermissions = (permissions: readonly Permission[]): Permission[] =>
  PERMISSIONS.filter((permission) => permissions.includes(permission));
