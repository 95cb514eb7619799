import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { addMember, makeProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface ProjectRole {
  id: string;
  name: string;
  permissions: string[];
}

describe('Project roles', () => {
  it('are listed with what they allow, for every user', async () => {
    const user = await test.newUser({ role: 'UR5' });
    expect(
      (await rowsOf(user.api.get<List<ProjectRole>>('/project-roles/'))).map(({ id, name }) => [id, name]),
    ).toEqual([
      ['PR1', 'Lead'],
      ['PR2', 'Architect'],
      ['PR3', 'Tester'],
      ['PR4', 'Developer'],
      ['PR5', 'Reader'],
    ]);
  });

  it('list the same permissions that a project shows to its members', async () => {
    const project = await makeProject(test);
    const roles = await rowsOf(test.api.get<List<ProjectRole>>('/project-roles/'));
    for (const { id, permissions } of roles) {
      const member = await test.newUser();
      await addMember(test, project, member, id);
      expect(await bodyOf(member.api.get(`/projects/${project.id}/`, { include: 'permissions' }))).toMatchObject({
        permissions,
      });
    }
  });
});
