import type { EntityManager } from '@mikro-orm/postgresql';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { tables } from '#domain/kernel/tables.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { Project } from '#domain/projects/hierarchy/project.entity.js';
import { takeSnapshot } from '#domain/reports/trend/trend.commands.js';
import { type Command, CommandError } from '../command.js';
import { DEMO_DAYS, fillOrganization } from '../demo/fill-organization.js';
import { ORGANIZATION, organizationOf } from './choose.js';

/** The number of projects of the organization that the transaction is bound to. */
async function countProjects(em: EntityManager): Promise<number> {
  const { count } = await tables(em, Project)
    .selectFrom('project')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const demoCommands: readonly Command[] = [
  {
    name: 'demo',
    about: 'fills an organization that has no projects with a made-up company at work, to try Merlon',
    options: { organization: ORGANIZATION },
    run: async ({ orm, configuration }, options) => {
      const { id, name } = await organizationOf(orm.em.fork(), options);
      const projects = await inTransaction(orm.em, { organizationId: id }, async (em) => {
        if (await countProjects(em))
          throw new CommandError(`The organization "${name}" already has projects. The demo needs an empty one.`);
        await fillOrganization(em, id);
        return countProjects(em);
      });
      const trend = await acrossOrganizations(orm.em, 'count and snapshot', (em) =>
        takeSnapshot(em, { zone: configuration.timeZone, organization: id, backfillDays: DEMO_DAYS }),
      );
      return { organization: { id, name }, projects, days: trend.days };
    },
  },
];
