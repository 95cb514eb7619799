/** The roles in projects, as the specification names them: lead, architect, tester, developer, reader. */
export const ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'] as const;

type Role = (typeof ROLES)[number];

/** A route within a project, and who may use it. Written from the specification, not from the code. */
export interface ProjectRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v2`; `{project}` is the project's number. */
  readonly path: string;
  readonly body?: object;
  readonly roles: readonly Role[];
}

const readers: readonly Role[] = ROLES;
const leads: readonly Role[] = ['PR1'];

/** Roles × routes: every route within a project stands here. */
export const PROJECT_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: '/projects/{project}/', roles: readers },
  { method: 'PATCH', path: '/projects/{project}/', body: { description: 'New.' }, roles: leads },
  // Deleting takes a global permission, and no role has it.
  { method: 'DELETE', path: '/projects/{project}/', roles: [] },
];
