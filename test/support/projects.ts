import type { TestApi, TestOrganization, TestUser } from './api.js';
import { type ApiClient, bodyOf } from './client.js';
import { unique } from './factories.js';
import type { Application, BusinessUnit, Project } from './resources.js';

/** Makes a business unit. */
export const makeBusinessUnit = (api: ApiClient, fields: object = {}): Promise<BusinessUnit> =>
  bodyOf(api.post<BusinessUnit>('/business-units/', { name: unique('Unit'), ...fields }), 201);

/** Makes an application, in a business unit of its own where none is named. */
export async function makeApplication(
  api: ApiClient,
  fields: { readonly business_unit?: number; readonly [field: string]: unknown } = {},
): Promise<Application> {
  const unit = fields.business_unit ?? (await makeBusinessUnit(api)).id;
  const body = { name: unique('Application'), ...fields, business_unit: unit };
  return bodyOf(api.post<Application>('/applications/', body), 201);
}

/** A project with what it belongs to, by number. */
export interface TestProject {
  readonly businessUnit: number;
  readonly application: number;
  readonly id: number;
  readonly name: string;
}

export interface ProjectOptions {
  readonly organization?: TestOrganization;
  /** Who made it; the organization's first super-user by default. */
  readonly creator?: TestUser;
  /** Every user of the organization sees it. */
  readonly allUsers?: boolean;
  /** Further fields of the project. */
  readonly fields?: object;
}

/** Makes a business unit, an application and a project in it: without a profile, so that its survey begins empty. */
export async function makeProject(
  test: TestApi,
  { organization = test.organization, creator = organization.admin, allUsers = false, fields }: ProjectOptions = {},
): Promise<TestProject> {
  const unit = await makeBusinessUnit(organization.api, { all_users: allUsers });
  const application = await makeApplication(organization.api, { business_unit: unit.id });
  const body = { name: unique('Project'), application: application.id, profile: null, ...fields };
  const { id, name } = await bodyOf(creator.api.post<Project>('/projects/', body), 201);
  return { businessUnit: unit.id, application: application.id, id, name };
}

/** Makes a user a member of a project, besides the users who are. */
export async function addMember(test: TestApi, project: TestProject, user: TestUser, role: string): Promise<void> {
  await test.database.query('INSERT INTO project_member (project_id, user_id, role) VALUES ($1, $2, $3)', [
    project.id,
    user.id,
    role,
  ]);
}
