import type { ProjectRole } from '../../kernel/permissions.js';

/** What roles allow besides reading. `project` covers its fields and members; `tasks` includes `status`. */
const ROLE_CAPABILITIES = ['attributes', 'notes', 'project', 'status', 'survey', 'tasks', 'verification'] as const;

type RoleCapability = (typeof ROLE_CAPABILITIES)[number];

/** What a user can do in a project: what their roles allow, and `delete`, which requires a global permission. */
export const CAPABILITIES = ['delete', ...ROLE_CAPABILITIES] as const;

export type Capability = (typeof CAPABILITIES)[number];

interface RoleDeclaration {
  readonly name: string;
  readonly capabilities: readonly RoleCapability[];
}

/** The capabilities of each project role. */
export const ROLES_IN_PROJECTS: Readonly<Record<ProjectRole, RoleDeclaration>> = {
  PR1: { name: 'Lead', capabilities: ROLE_CAPABILITIES },
  PR2: { name: 'Architect', capabilities: ['attributes', 'notes', 'status', 'survey', 'tasks'] },
  PR3: { name: 'Tester', capabilities: ['notes', 'status', 'verification'] },
  PR4: { name: 'Developer', capabilities: ['notes', 'status'] },
  PR5: { name: 'Reader', capabilities: [] },
};

/** The capabilities of these roles, sorted. Only leads can change a locked project. */
export const capabilitiesOf = (roles: readonly ProjectRole[], locked: boolean): readonly RoleCapability[] => {
  const effectiveRoles = locked ? roles.filter((role) => role === 'PR1') : roles;
  return ROLE_CAPABILITIES.filter((capability) =>
    effectiveRoles.some((role) => ROLES_IN_PROJECTS[role].capabilities.includes(capability)),
  );
};
