import type { TestApi } from '../support/api.js';
import { makeEmptyProject } from '../support/project-content.js';
import type { TestProject } from '../support/projects.js';
import type { ExpectedActivity, Writing } from './writing.js';

/** Keys of the data of every activity in a project, besides those of its own items. */
export const PLACE = ['business_unit', 'application', 'project'] as const;

export interface Numbered {
  readonly id: string | number;
}

/** A writing operation within a project. `prepare` creates what the placeholders after `{project}` refer to. */
export const within = (
  operation: string,
  activities: readonly ExpectedActivity[],
  body?: object,
  prepare: (
    test: TestApi,
    project: TestProject,
  ) => Promise<Readonly<Record<string, string | number>>> = async () => ({}),
): Writing => ({
  operation,
  activities,
  prepare: async (test) => {
    const created = await makeEmptyProject(test);
    const names: Record<string, string | number> = {
      project: created.id,
      id: created.id,
      ...(await prepare(test, created)),
    };
    const [method = '', path = ''] = operation.split(' ');
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
    return () => test.api.send(method, filled, body);
  },
});
