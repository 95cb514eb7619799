import { useDomain } from '#test/support/domain.js';
import type { Actor } from '../../kernel/actor.js';
import type { Permission } from '../../kernel/permissions.js';
import { createGroup, removeGroup, updateGroup } from '../group/group.commands.js';
import { createRole, removeRole, updateRole } from '../role/role.commands.js';
import { createUser, updateUser } from './user.commands.js';

const domain = useDomain();

let made = 0;

const input = (fields: object = {}) => {
  made += 1;
  return { email: `grace.${made}@example.com`, first_name: 'Grace', last_name: `User ${made}`, ...fields };
};

const makeRole = (name: string, ...permissions: Permission[]): Promise<string> =>
  domain.run((em, actor) => createRole(em, actor, { name, permissions }));

/** A user who manages users and has no other permission. */
async function makeManager(): Promise<Actor> {
  made += 1;
  const role = await makeRole(`Manager ${made}`, 'manage_users');
  return domain.actorOf(await domain.run((em, actor) => createUser(em, actor, input({ role }))));
}

const missing = (id: string): string => `"${id}" does not exist.`;

describe('The last active super-user of an organization', () => {
  const LAST = ["This is the organization's last active super-user."];

  it('cannot lose the super-user status or be deactivated', async () => {
    const admin = await domain.newOrganization();
    const rejected = (changes: object) =>
      domain.rejection((em, actor) => updateUser(em, actor, String(admin.id), changes), admin);
    expect(await rejected({ is_superuser: false })).toEqual({ is_superuser: LAST });
    expect(await rejected({ is_active: false, is_superuser: false, first_name: 'Nobody' })).toEqual({
      is_active: LAST,
      is_superuser: LAST,
    });
  });

  it('can lose the super-user status once another super-user is active', async () => {
    const admin = await domain.newOrganization();
    const second = await domain.run(
      (em, actor) => createUser(em, actor, input({ is_superuser: true, is_active: false })),
      admin,
    );
    const leave = { is_superuser: false };
    expect(await domain.rejection((em, actor) => updateUser(em, actor, String(admin.id), leave), admin)).toEqual({
      is_superuser: LAST,
    });
    await domain.run((em, actor) => updateUser(em, actor, String(second), { is_active: true }), admin);
    await domain.run((em, actor) => updateUser(em, actor, String(admin.id), leave), admin);
    expect((await domain.actorOf(admin.id)).isSuperUser).toBe(false);
  });
});

describe('User commands', () => {
  it('report an email taken in any organization together with every reference that does not exist', async () => {
    const taken = input();
    await domain.run((em, actor) => createUser(em, actor, taken));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) =>
        createUser(em, actor, {
          ...input({ role: 'CU99999', groups: ['G99999', 'G99998'] }),
          email: taken.email.toUpperCase(),
        }),
      other,
    );
    expect(rejected).toEqual({
      email: ['This e-mail address is already in use.'],
      role: [missing('CU99999')],
      groups: [missing('G99999'), missing('G99998')],
    });
  });

  it('cannot grant more permissions than the caller has, or change a user who has more', async () => {
    const manager = await makeManager();
    const admin = domain.actor;
    expect(await domain.rejection((em, actor) => createUser(em, actor, input({ role: 'UR4' })), manager)).toMatch(
      /^Forbidden: The role ".+" has permissions that you lack: /,
    );
    expect(await domain.rejection((em, actor) => createUser(em, actor, input({ is_superuser: false })), manager)).toBe(
      'Forbidden: Only super-users may set "is_superuser".',
    );
    expect(
      await domain.rejection((em, actor) => updateUser(em, actor, String(admin.id), { first_name: 'x' }), manager),
    ).toBe('Forbidden: Only super-users may change a super-user.');
    const stronger = await domain.run((em, actor) => createUser(em, actor, input({ role: 'UR4' })));
    expect(
      await domain.rejection((em, actor) => updateUser(em, actor, String(stronger), { is_active: false }), manager),
    ).toMatch(/^Forbidden: The account of .+ has permissions that you lack: /);
  });

  it('do not find users of another organization', async () => {
    const other = await domain.newOrganization();
    const rejected = await domain.rejection((em, actor) =>
      updateUser(em, actor, String(other.id), { first_name: 'x' }),
    );
    expect(rejected).toBe('Not found.');
  });
});

describe('Group commands', () => {
  it('report a taken name together with every reference that does not exist', async () => {
    await domain.run((em, actor) => createGroup(em, actor, { name: 'Taken' }));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection((em, actor) =>
      createGroup(em, actor, { name: 'TAKEN', role: 'CU99999', users: [actor.id, other.id, 99_999_999] }),
    );
    expect(rejected).toEqual({
      name: ['A group with this name already exists.'],
      role: [missing('CU99999')],
      users: [missing(String(other.id)), missing('99999999')],
    });
  });

  it('cannot grant or revoke permissions that the caller lacks', async () => {
    const manager = await makeManager();
    const id = await domain.run((em, actor) => createGroup(em, actor, { name: 'Strong', role: 'UR4' }));
    const lacking = /^Forbidden: The (role|group) ".+" has permissions that you lack: /;
    const own = await domain.run((em, actor) => createGroup(em, actor, { name: 'Weak' }), manager);
    expect(await domain.rejection((em, actor) => updateGroup(em, actor, own, { role: 'UR4' }), manager)).toMatch(
      lacking,
    );
    expect(await domain.rejection((em, actor) => updateGroup(em, actor, id, { role: null }), manager)).toMatch(lacking);
    expect(
      await domain.rejectionRolledBack((em, actor) => updateGroup(em, actor, id, { users: [actor.id] }), manager),
    ).toMatch(lacking);
    expect(await domain.rejection((em, actor) => removeGroup(em, actor, id), manager)).toMatch(lacking);
  });
});

describe('Role commands', () => {
  it('require unique names, including those of built-in roles, which cannot be changed', async () => {
    const id = await makeRole('Auditor');
    const taken = { name: ['A role with this name already exists.'] };
    expect(await domain.rejection((em, actor) => createRole(em, actor, { name: 'auditor' }))).toEqual(taken);
    expect(await domain.rejection((em, actor) => updateRole(em, actor, id, { name: 'USER' }))).toEqual(taken);
    const fixed = "Forbidden: Built-in roles can't be changed or deleted.";
    expect(await domain.rejection((em, actor) => updateRole(em, actor, 'UR1', { name: 'x' }))).toBe(fixed);
    expect(await domain.rejection((em, actor) => removeRole(em, actor, 'UR1'))).toBe(fixed);
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => removeRole(em, actor, id), other)).toBe('Not found.');
  });

  it('cannot remove a role in use, and report how many users and groups have it', async () => {
    const role = await makeRole('Held');
    for (const name of ['Holder 1', 'Holder 2'])
      await domain.run((em, actor) => createGroup(em, actor, { name, role }));
    await domain.run((em, actor) => createUser(em, actor, input({ role })));
    expect(await domain.rejection((em, actor) => removeRole(em, actor, role))).toEqual({
      non_field_errors: ['This role is in use by 1 user and 2 groups. Assign them another one first.'],
    });
  });

  it('cannot grant or revoke permissions that the caller lacks', async () => {
    const manager = await makeManager();
    const strong = await makeRole('Strong', 'manage_users', 'add_project');
    const lacking = /has permissions that you lack: add_project\.$/;
    const permissions = ['manage_users', 'add_project'] as const;
    expect(
      await domain.rejection(
        (em, actor) => createRole(em, actor, { name: 'More', permissions: [...permissions] }),
        manager,
      ),
    ).toMatch(lacking);
    expect(
      await domain.rejection((em, actor) => updateRole(em, actor, strong, { permissions: ['manage_users'] }), manager),
    ).toMatch(lacking);
    expect(await domain.rejection((em, actor) => removeRole(em, actor, strong), manager)).toMatch(lacking);
  });
});
