import type { Session } from './session.ts';

type Permission = Session['permissions'][number];

/** What global roles can allow. */
export const ALL_PERMISSIONS: readonly Permission[] = [
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
];

/** Who may use what: those with a permission, or super-users, and only if a flag is on. */
interface Requirement {
  readonly permission?: Permission;
  readonly flag?: string;
}

/** The parts of the administration, in their order, with what the API requires of their users. */
const SECTIONS = {
  users: { permission: 'manage_users' },
  groups: { permission: 'manage_users' },
  roles: { permission: 'manage_users' },
  'identity-providers': {},
  'token-policy': { permission: 'manage_users' },
  flags: { permission: 'manage_features' },
  webhooks: { flag: 'Webhooks' },
  exports: { permission: 'customize_content' },
  imports: { permission: 'customize_content' },
  activity: { permission: 'view_all_projects' },
} as const satisfies Record<string, Requirement>;

export type AdministrationSection = keyof typeof SECTIONS;

const meets = (session: Session, { permission, flag }: Requirement): boolean =>
  (permission === undefined ? session.user.is_superuser === true : session.permissions.includes(permission)) &&
  (flag === undefined || session.flags.includes(flag));

/** The parts of the administration that a user may use. */
export const sectionsFor = (session: Session): readonly AdministrationSection[] =>
  (Object.keys(SECTIONS) as AdministrationSection[]).filter((name) => meets(session, SECTIONS[name]));
