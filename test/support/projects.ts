import type { TestApi, TestOrganization, TestUser } from './api.js';
import { type ApiClient, bodyOf } from './client.js';
import { unique } from './factories.js';
import type { Application, BusinessUnit, Project } from './resources.js';

/** Creates a business unit. */
export const makeBusinessUnit = (api: ApiClient, fields: object = {}): Promise<BusinessUnit> =>
  bodyOf(api.post<BusinessUnit>('/business-units/', { name: unique('Unit'), ...fields }), 201);

/** Creates an application, by default in a new business unit. */
export async function makeApplication(
  api: ApiClient,
  fields: { readonly business_unit?: number; readonly [field: string]: unknown } = {},
): Promise<Application> {
  const unit = fields.business_unit ?? (await makeBusinessUnit(api)).id;
  const body = { name: unique('Application'), ...fields, business_unit: unit };
  return bodyOf(api.post<Application>('/applications/', body), 201);
}

/** A project with the ids of its application and business unit. */
export interface TestProject {
  readonly businessUnit: number;
  readonly application: number;
  readonly id: number;
  readonly name: string;
}

export interface ProjectOptions {
  readonly organization?: TestOrganization;
  /** The user who creates it; by default the organization's first super-user. */
  readonly creator?: TestUser;
  /** Whether every user of the organization can see it. */
  readonly allUsers?: boolean;
  /** Additional fields of the project. */
  readonly fields?: object;
}

/** Creates a business unit, an application and a project without a profile, so that its survey is empty. */
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

/** Adds a user to the members of a project. */
export async function addMember(test: TestApi, project: TestProject, user: TestUser, role: string): Promise<void> {
  await test.database.query('INSERT INTO project_member (project_id, user_id, role) VALUES ($1, $2, $3)', [
    project.id,
    user.id,
    role,
  ]);
}
