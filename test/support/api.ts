import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { EntityManager } from '@mikro-orm/postgresql';

import { createLogger } from '#platform/logging.js';
import { loadConfiguration } from '#platform/configuration.js';
import { type Api, createApi } from '../../apps/api/src/create-api.js';
import { builtDocument } from './built-document.js';
import { type Answer, ApiClient, bodyOf } from './client.js';
import { useForSuite } from './use-for-suite.js';
import { cloneDatabase, type TestDatabase } from './database.js';
import { DocumentCheck, type OpenApiDocument } from './document.js';
import { makeOrganization } from './organizations.js';
import { checkPromises } from './promises.js';

/** A user with a client that calls the API as them. */
export interface TestUser {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly api: ApiClient;
}

/** An organization with its first super-user. */
export interface TestOrganization {
  readonly id: number;
  readonly name: string;
  readonly admin: TestUser;
  /** Calls the API as `admin`. */
  readonly api: ApiClient;
}

export interface UserOptions {
  readonly organization?: TestOrganization;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly superUser?: boolean;
  /** The public id of a global role; by default `UR1`, which has no permissions. */
  readonly role?: string;
}

/** A real, listening API with its own database. */
export interface TestApi {
  readonly origin: string;
  readonly database: TestDatabase;
  readonly document: OpenApiDocument;
  readonly check: DocumentCheck;
  /** The default organization of tests, and its super-user's client. */
  readonly organization: TestOrganization;
  readonly api: ApiClient;
  readonly running: Api;
  /** Log lines of the level `warn` and above, newest last. */
  readonly log: readonly string[];
  /** Another organization. */
  newOrganization(): Promise<TestOrganization>;
  /** Another user, with a token. */
  newUser(options?: UserOptions): Promise<TestUser>;
  /** Allows 5xx responses while `action` runs, for tests that provoke them. */
  expectingServerErrors<Result>(action: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Environment of the API under test. Variables of the machine are not used. */
const SETTINGS = {
  SECRET_KEY: 'k'.repeat(40),
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_SECONDS: '1',
  DATABASE_POOL_SIZE: '10',
  // A suite sends as many requests as a thousand users, but as one. The tests of these limits set them.
  MAX_REQUESTS: '1000',
  MAX_HEAVY_REQUESTS: '1000',
  USER_RATE_LIMIT: '0',
  ORGANIZATION_RATE_LIMIT: '0',
  MAX_UNFINISHED_JOBS: '100000',
  ADDRESS_RATE_LIMIT: '0',
  // Suites read every operation to its end.
  EVENT_STREAM_SECONDS: '1',
};

/** Requests end within a second of it (`SHUTDOWN_GRACE_SECONDS`); the rest of the time is for a busy machine. */
const CLOSE_SECONDS = 60;

const unique = (): string => randomBytes(4).toString('hex');

/**
 * Starts the API, by default on a copy of the template database.
 *
 * @param settings additional environment variables
 * @param sharedDatabase a database with the schema; it is dropped when the API is closed
 * @returns the API; close it after use
 */
export async function startTestApi(
  settings: Readonly<Record<string, string>> = {},
  sharedDatabase?: TestDatabase,
): Promise<TestApi> {
  const database = sharedDatabase ?? (await cloneDatabase());
  const configuration = loadConfiguration({ ...SETTINGS, ...settings, DATABASE_URL: database.applicationUrl });
  const log: string[] = [];
  const running = await createApi(
    configuration,
    createLogger(configuration, 'api', { write: (line) => void log.push(line) }),
  );
  const server = running.app.getHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const document = await builtDocument(running);
  const check = new DocumentCheck(document);
  let serverErrorsExpected = 0;
  const checkAnswer = (answer: Answer, sent: Parameters<typeof checkPromises>[1]): void => {
    if (answer.status >= 500 && !serverErrorsExpected)
      throw new Error(`${answer.method} ${answer.path} → ${answer.status} ${answer.text}\n${log.slice(-3).join('')}`);
    if (answer.status < 500) checkPromises(answer, sent);
    check.check(answer);
  };
  const client = new ApiClient(origin, checkAnswer);

  const newOrganization = async (): Promise<TestOrganization> => {
    const { admin, ...made } = await makeOrganization(running.app.get(EntityManager));
    const api = client.as(admin.token);
    return { ...made, admin: { ...admin, api }, api };
  };
  const organization = await newOrganization();

  return {
    origin,
    database,
    document,
    check,
    organization,
    api: organization.api,
    running,
    log,
    newOrganization,
    newUser: async (options = {}) => {
      const email = `user.${unique()}@example.com`;
      const { api } = options.organization ?? organization;
      const { id } = await bodyOf(
        api.post<{ id: number }>('/users/', {
          email,
          first_name: options.firstName ?? 'Grace',
          last_name: options.lastName ?? 'User',
          role: options.role ?? 'UR1',
          is_superuser: options.superUser ?? false,
        }),
        201,
      );
      const { token } = await bodyOf(api.post<{ token: string }>(`/users/${id}/tokens/`, { name: 'Test' }), 201);
      return { id, email, token, api: client.as(token) };
    },
    expectingServerErrors: async (action) => {
      serverErrorsExpected += 1;
      try {
        return await action();
      } finally {
        serverErrorsExpected -= 1;
      }
    },
    close: async () => {
      const closed = running.close().then(() => true);
      const inTime = await Promise.race([closed, sleep(CLOSE_SECONDS * 1000, false, { ref: false })]);
      await database.drop();
      if (!inTime) throw new Error(`The API did not close within ${CLOSE_SECONDS} s.`);
    },
  };
}

/** The same API with another default organization. */
export const inOrganization = (test: TestApi, organization: TestOrganization): TestApi => ({
  ...test,
  organization,
  api: organization.api,
  newUser: (options) => test.newUser({ organization, ...options }),
});

/**
 * For a whole spec file: starts an API before its tests and closes it after them.
 *
 * @param settings additional environment variables
 * @returns the API, which can only be used inside tests and hooks
 */
export const useTestApi = (settings?: Readonly<Record<string, string>>): TestApi =>
  useForSuite(() => startTestApi(settings));
