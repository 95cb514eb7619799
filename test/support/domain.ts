import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { findActor } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { DomainError, type FieldErrors, Forbidden, Invalid } from '#domain/kernel/domain-errors.js';
import { RejectedRows } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { type DatabaseSettings, ormOptions } from '#orm';
import { cloneDatabase, type TestDatabase } from './database.js';
import { makeOrganization } from './organizations.js';
import { changesNothing } from './records.js';
import { useForSuite } from './use-for-suite.js';

type Command<Result> = (em: EntityManager, actor: Actor) => Promise<Result>;

/** The errors of a row: messages by field, or the message of another error. */
type Rejection = FieldErrors | string | undefined;

/** Runs commands on a separate database, without an API. */
export interface TestDomain {
  readonly database: TestDatabase;
  /** The first super-user of the default organization, as the API sees them. */
  readonly actor: Actor;
  /** Creates another organization; returns its first super-user. */
  newOrganization(): Promise<Actor>;
  /** Any user, as the API sees them. */
  actorOf(userId: number): Promise<Actor>;
  /** Runs a command in a transaction of its actor, as services do. The default actor is `actor`. */
  run<Result>(command: Command<Result>, actor?: Actor): Promise<Result>;
  /**
   * The errors of a command that is rejected: for a list, one entry per row, which is undefined for a valid row. The
   * transaction is committed, and the test fails if any row of any table has changed: commands check before they write.
   */
  rejection(command: Command<unknown>, actor?: Actor): Promise<Rejection | Rejection[]>;
  /**
   * The same for a command that writes before it has checked everything, so that its transaction has to be rolled back:
   * for example, one that copies built-in items which an organization changes for the first time.
   */
  rejectionRolledBack(command: Command<unknown>, actor?: Actor): Promise<Rejection | Rejection[]>;
}

function errorsOf(error: unknown): Rejection | Rejection[] {
  if (error instanceof RejectedRows) return error.errors.map((row) => row && (errorsOf(row) as Rejection));
  if (error instanceof Invalid) return error.errors;
  if (error instanceof Forbidden) return `Forbidden: ${error.message}`;
  if (error instanceof DomainError) return error.message;
  throw error;
}

async function rejectionOf(running: Promise<unknown>): Promise<Rejection | Rejection[]> {
  const result = await running.then(
    () => ({ rejected: false as const }),
    (error: unknown) => ({ rejected: true as const, error }),
  );
  if (!result.rejected) throw new Error('The command was accepted, but should have been rejected.');
  return errorsOf(result.error);
}

function optionsFor(settings: DatabaseSettings): ReturnType<typeof ormOptions> {
  const options = ormOptions(settings);
  const { onPoolCreated } = options.driverOptions as { onPoolCreated: (pool: Pool) => void };
  return {
    ...options,
    driverOptions: {
      ...options.driverOptions,
      onPoolCreated: (pool: Pool) => {
        onPoolCreated(pool);
        // Connections that are still closing emit an error when the database is dropped.
        pool.on('error', () => undefined);
      },
    },
  };
}

async function startDomain(): Promise<TestDomain & { close(): Promise<void> }> {
  const database = await cloneDatabase();
  const orm = await MikroORM.init(optionsFor({ url: database.applicationUrl, poolSize: 4, timeZone: 'UTC' }));
  const actorOf = async (userId: number): Promise<Actor> => {
    const actor = await findActor(orm.em.fork(), userId);
    if (!actor) throw new Error('The user does not exist.');
    return actor;
  };
  const newOrganization = async (): Promise<Actor> => actorOf((await makeOrganization(orm.em)).admin.id);
  const first = await newOrganization();
  const run = <Result>(command: Command<Result>, actor: Actor = first): Promise<Result> =>
    inTransaction(orm.em, actor, (em) => command(em, actor));
  return {
    database,
    actor: first,
    newOrganization,
    actorOf,
    run,
    rejection: (command, actor) =>
      changesNothing({ database }, () => run((em, caller) => rejectionOf(command(em, caller)), actor)),
    rejectionRolledBack: (command, actor) => changesNothing({ database }, () => rejectionOf(run(command, actor))),
    close: async () => {
      await orm.close(true);
      await database.drop();
    },
  };
}

/**
 * For a whole spec file of commands: creates a copy of the template database before its tests, and drops it after them.
 * Connects as the API does, but without Nest and HTTP.
 *
 * @returns the domain, which can only be used inside tests and hooks
 */
export const useDomain = (): TestDomain => useForSuite(startDomain);
