import type { TestApi, TestOrganization, TestUser } from './api.js';
import { unique } from './factories.js';

/** A project with what it belongs to, by number. */
export interface TestProject {
  readonly businessUnit: number;
  readonly application: number;
  readonly id: number;
  readonly name: string;
}

export interface ProjectOptions {
  readonly organization?: TestOrganization;
  /** Who made it; the organization's first super-user where nobody is named. */
  readonly creator?: TestUser;
  /** Every user of the organization sees it. */
  readonly allUsers?: boolean;
}

/** Makes a business unit, an application and a project in it. */
export async function makeProject(
  test: TestApi,
  { organization = test.organization, creator = organization.admin, allUsers = false }: ProjectOptions = {},
): Promise<TestProject> {
  const one = async (statement: string, values: unknown[]): Promise<number> => {
    const [row] = await test.database.query<{ id: string }>(`${statement} RETURNING id`, values);
    return Number(row?.id);
  };
  const names = [unique('Unit'), unique('Application'), unique('Project')] as const;
  const slugs = names.map((name) => name.toLowerCase().replaceAll(' ', '-'));
  const businessUnit = await one(
    'INSERT INTO business_unit (organization_id, name, slug, all_users) VALUES ($1, $2, $3, $4)',
    [organization.id, names[0], slugs[0], allUsers],
  );
  const application = await one(
    'INSERT INTO application (organization_id, business_unit_id, name, slug) VALUES ($1, $2, $3, $4)',
    [organization.id, businessUnit, names[1], slugs[1]],
  );
  const id = await one(
    'INSERT INTO project (organization_id, application_id, name, slug, creator_id) VALUES ($1, $2, $3, $4, $5)',
    [organization.id, application, names[2], slugs[2], creator.id],
  );
  return { businessUnit, application, id, name: names[2] };
}

/** Makes a user a member of a project. */
export async function addMember(test: TestApi, project: TestProject, user: TestUser, role: string): Promise<void> {
  await test.database.query('INSERT INTO project_member (project_id, user_id, role) VALUES ($1, $2, $3)', [
    project.id,
    user.id,
    role,
  ]);
}
