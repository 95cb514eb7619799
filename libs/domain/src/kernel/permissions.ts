/** Every global permission by its short name, sorted. */
export const PERMISSIONS = [
  'add_application',
  'add_business_unit',
  'add_project',
  'customize_content',
  'delete_application',
  'delete_project',
  'edit_all_projects',
  'edit_application',
  'edit_business_unit',
  'edit_connections',
  'edit_custom_reports',
  'manage_features',
  'manage_risk_policies',
  'manage_users',
  'view_all_projects',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The ids of the roles in projects, strongest first. */
export const PROJECT_ROLES = ['PR1', 'PR2', 'PR3', 'PR4', 'PR5'] as const;

export type ProjectRole = (typeof PROJECT_ROLES)[number];
