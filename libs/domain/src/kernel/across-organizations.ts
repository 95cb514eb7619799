import type { EntityManager } from '@mikro-orm/postgresql';
import { EVERY_ORGANIZATION, inBoundTransaction, ORGANIZATION_SETTING } from './transaction.js';

/**
 * All tasks that write rows of several organizations, or before the organization is known, with the reason. Everything
 * else runs in a transaction that is bound to one organization (`inTransaction`).
 */
const TASKS = {
  'claim a job':
    'A worker takes the next export, import, delivery queue or connection of whichever organization is due.',
  'load the library': 'Built-in content belongs to no organization, and customized items of all follow it.',
  'import a catalog': 'Catalogs are built-in content.',
  'migrate or restore': 'The schema and the rows of a backup are those of all organizations.',
  'set up the deployment': 'A setup link creates the first super-user before anyone can sign in.',
  'operate the deployment': 'The command line creates organizations and users, and finds users by e-mail address.',
  'queue what is due': 'The relay finds due rows of all organizations.',
  'sweep what is over': 'Schedules remove expired files, imports, tokens and deliveries.',
  'count and snapshot': 'Schedules count activities and take snapshots for trends of all organizations.',
  'seal secrets anew': 'A new SECRET_KEY concerns the secrets of all organizations.',
} as const satisfies Readonly<Record<string, string>>;

type CrossOrganizationTask = keyof typeof TASKS;

/**
 * Runs `work` like `inTransaction`, but on the rows of every organization and with the connection's own role. The task
 * documents why that is allowed.
 *
 * @param attempts how often it may run if it conflicts with other transactions; 1 for work with effects outside of the
 *   database
 */
export const acrossOrganizations = <T>(
  em: EntityManager,
  _task: CrossOrganizationTask,
  work: (em: EntityManager) => Promise<T>,
  attempts?: number,
): Promise<T> => inBoundTransaction(em, { [ORGANIZATION_SETTING]: EVERY_ORGANIZATION }, work, attempts);
