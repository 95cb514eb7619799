/** The ids of the roles in projects, strongest first. */
export const PROJECT_ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'] as const;

export type ProjectRole = (typeof PROJECT_ROLES)[number];
