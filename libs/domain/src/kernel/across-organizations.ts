import type { EntityManager } from '@mikro-orm/postgresql';
import { EVERY_ORGANIZATION, inBoundTransaction, ORGANIZATION_SETTING } from './transaction.js';

/**
 * Everything that writes to rows of several organizations, or before it knows of which, with the reason. Whatever is
 * not listed works in a transaction that is bound to one organization (`inTransaction`).
 */
const TASKS = {
  'claim a job': 'A worker takes the next export or import, or delivery queue, of whichever organization is due.',
  'load the library': 'Built-in content belongs to no organization, and customized items of all follow it.',
  'import a catalog': 'Catalogs are built-in content.',
  'migrate or restore': 'The schema and the rows of a backup are those of all organizations.',
  'operate the deployment': 'The command line makes organizations and users, and finds users by their e-mail address.',
  'queue what is due': 'The relay finds due rows of all organizations.',
  'sweep what is over': 'Schedules remove expired files, imports, tokens and deliveries.',
  'count and snapshot': 'Schedules count activities and take snapshots for trends of all organizations.',
  'seal secrets anew': 'A new SECRET_KEY concerns the secrets of all organizations.',
} as const satisfies Readonly<Record<string, string>>;

type Task = keyof typeof TASKS;

/**
 * Runs `work` as `inTransaction` does, on the rows of every organization, with the connection's own role. The task says
 * why it may.
 *
 * @param attempts how often it is run where it loses against other transactions; some have effects elsewhere
 */
export const acrossOrganizations = <T>(
  em: EntityManager,
  _task: Task,
  work: (em: EntityManager) => Promise<T>,
  attempts?: number,
): Promise<T> => inBoundTransaction(em, { [ORGANIZATION_SETTING]: EVERY_ORGANIZATION }, work, attempts);
