import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

/** Who sees what, and who may change it. */
export const ACCESS: readonly SqlMutant[] = [
  ...mutantsOf('libs/domain/src/access/user/principal.ts', 'http/access/access.spec', [
    ['WHERE t.public_id = ${publicId} AND u.is_active AND', 'WHERE t.public_id = ${publicId} AND'],
    ['(t.expires_at IS NULL OR t.expires_at > now())', '(true)'],
  ]),
  ...mutantsOf('apps/api/src/http/access/access.guard.ts', 'webhooks/webhooks.spec', [
    ['if (required.flag) assertFlag(actor, required.flag);', ''],
  ]),
  ...mutantsOf('apps/api/src/http/access/access.guard.ts', 'http/access/access.spec', [
    ['required.permission && !may(actor, required.permission)', 'required.permission && actor.permissions.size < 0'],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-access/project-visibility.ts', 'project-access|closed-units', [
    ['if (seesAllProjects(scope)) return own;', 'return own;'],
    ["column('creator_id')} = ${user} OR", "column('creator_id')} IS NOT NULL OR"],
    ['WHERE b.all_users AND b.organization_id', 'WHERE b.organization_id'],
    ['OR m.group_id IN (SELECT g.group_id FROM group_member g WHERE g.user_id = ${user})', ''],
    ["scope.may('view_all_projects') || scope.may('edit_all_projects')", "scope.may('edit_all_projects')"],
    ["UNION ALL SELECT 'PR5') roles", "UNION ALL SELECT 'PR4') roles"],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-access/project-roles.ts', 'project-access', [
    ["locked ? roles.filter((role) => role === 'PR1') : roles", 'roles'],
    [
      "PR4: { name: 'Developer', capabilities: ['notes', 'status'] }",
      "PR4: { name: 'Developer', capabilities: ['notes', 'status', 'tasks'] }",
    ],
    ["['notes', 'status', 'verification']", "['notes', 'status']"],
  ]),
  ...mutantsOf(
    'libs/domain/src/projects/project-access/business-unit-visibility.ts',
    'closed-units|business-units.spec',
    [
      ['(b.all_users\n    OR b.id IN', '(true\n    OR b.id IN'],
      ["  'edit_application',\n", ''],
    ],
  ),
  ...mutantsOf(
    'libs/domain/src/projects/project-access/grants.ts',
    'users/granting|closed-units|security|groups.spec',
    [
      [
        "SELECT p.id, NULL, 'PR1' FROM project p WHERE p.creator_id = ${userId}`",
        "SELECT p.id, NULL, 'PR5' FROM project p WHERE p.creator_id = ${userId}`",
      ],
    ],
  ),
];
