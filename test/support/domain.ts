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

/** What a command says against a row: messages by field, or else the error in words. */
type Refusal = FieldErrors | string | undefined;

/** Commands on a database of their own, without an API. */
export interface TestDomain {
  readonly database: TestDatabase;
  /** The first super-user of the organization that tests use where they need just one, as the API knows them. */
  readonly actor: Actor;
  /** The first super-user of another organization. */
  newOrganization(): Promise<Actor>;
  /** Any user as the API knows them. */
  actorOf(userId: number): Promise<Actor>;
  /** Runs a command in a transaction of its actor, as services do. */
  run<Result>(command: Command<Result>, actor?: Actor): Promise<Result>;
  /**
   * What a command says that refuses: one entry per row of a list, undefined for a valid one. The transaction is
   * committed, and the test fails where any row of any table is another one: commands check before they write.
   */
  refusal(command: Command<unknown>, actor?: Actor): Promise<Refusal | Refusal[]>;
  /**
   * The same for a command whose transaction has to be rolled back, because it writes before it checks all: it copies
   * built-in items that an organization changes for the first time, for example.
   */
  refusalRolledBack(command: Command<unknown>, actor?: Actor): Promise<Refusal | Refusal[]>;
}

function inWords(error: unknown): Refusal | Refusal[] {
  if (error instanceof RejectedRows) return error.errors.map((row) => row && (inWords(row) as Refusal));
  if (error instanceof Invalid) return error.errors;
  if (error instanceof Forbidden) return `Forbidden: ${error.message}`;
  if (error instanceof DomainError) return error.message;
  throw error;
}

async function refusalOf(running: Promise<unknown>): Promise<Refusal | Refusal[]> {
  const result = await running.then(
    () => ({ refused: false as const }),
    (error: unknown) => ({ refused: true as const, error }),
  );
  if (!result.refused) throw new Error('The command was to refuse, and has not.');
  return inWords(result.error);
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
        // A connection that is still closing when the database goes is told so, and nothing else listens.
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
    if (!actor) throw new Error('There is no such user.');
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
    refusal: (command, actor) =>
      changesNothing({ database }, () => run((em, caller) => refusalOf(command(em, caller)), actor)),
    refusalRolledBack: (command, actor) => changesNothing({ database }, () => refusalOf(run(command, actor))),
    close: async () => {
      await orm.close(true);
      await database.drop();
    },
  };
}

/**
 * For a whole spec file of commands: gives it a copy of the template database before its tests, and drops it after them.
 * It connects as the API does, but without Nest and HTTP.
 *
 * @returns the domain, to be used inside of tests and hooks only
 */
export const useDomain = (): TestDomain => useForSuite(startDomain);
