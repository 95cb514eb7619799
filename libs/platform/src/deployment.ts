import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ConfigurationError } from './configuration.js';
import type { Configuration, SettingName } from './configuration.js';
import { newSecret, newTokenText } from './crypto/token.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import type { EmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { makePrivateFolder } from './private-folder.js';

/** The database, keys and token of a deployment, either managed in DATA_DIR or configured. */
export interface Deployment {
  /** Connection URL of the API and the worker: their role may only read and write rows. */
  readonly databaseUrl: string;
  /** The same database as its owner, for migrations, backups and other commands. */
  readonly ownerUrl: string;
  /** Text of at least 32 characters. */
  readonly secretKey: string;
  /** The first super-user's token; undefined only if DATABASE_URL is set and ADMIN_TOKEN is not. */
  readonly adminToken: string | undefined;
  /** The file with the token, if the deployment has one. */
  readonly adminTokenFile: string | undefined;
  /** The embedded server, for the process that supervises it; undefined if DATABASE_URL is set. */
  readonly embedded: Omit<EmbeddedPostgres, 'stop'> | undefined;
  /** Ends the use of the embedded server; the last process that uses it stops it. */
  close(): Promise<void>;
}

/**
 * Opens the deployment that the configuration describes. Without DATABASE_URL that is the folder DATA_DIR: its
 * PostgreSQL is started or joined, and its secret key and admin token are created on first use. Any number of processes
 * may do so at once.
 *
 * @param configuration the configuration
 * @returns the deployment, which must be closed
 * @throws ConfigurationError if DATABASE_URL is set and SECRET_KEY is not; Error if the server does not start
 */
export async function openDeployment(configuration: Configuration): Promise<Deployment> {
  const { databaseUrl, databaseOwnerUrl: ownerUrl = databaseUrl, secretKey, adminToken, dataDir } = configuration;
  if (databaseUrl !== undefined && ownerUrl !== undefined) {
    if (secretKey === undefined) throw new ConfigurationError(['SECRET_KEY must be set if DATABASE_URL is set.']);
    const close = (): Promise<void> => Promise.resolve();
    return { databaseUrl, ownerUrl, secretKey, adminToken, adminTokenFile: undefined, embedded: undefined, close };
  }

  await makePrivateFolder(dataDir);
  const adminTokenFile = path.join(dataDir, 'admin-token');
  if (adminToken !== undefined) await replaceSecret(adminTokenFile, adminToken);
  const secrets = {
    secretKey: secretKey ?? (await readOrCreateSecret(path.join(dataDir, 'secret-key'), newSecret())),
    adminToken: adminToken ?? (await readOrCreateSecret(adminTokenFile, newTokenText())),
  };
  const server = await startEmbeddedPostgres({ directory: path.join(dataDir, 'postgres') });
  const { applicationUrl, url } = server;
  return {
    ...secrets,
    databaseUrl: applicationUrl,
    ownerUrl: url,
    adminTokenFile,
    embedded: server,
    close: () => server.stop(),
  };
}

/**
 * The environment of a child process that uses a deployment without opening it.
 *
 * @param values variables that override those of this process; undefined unsets one
 * @returns the environment
 */
export function childEnvironment(values: { readonly [Name in SettingName]?: string | undefined }): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

/** Reads the secret in the file. If there is none, stores `fresh`, unless another process is faster. */
async function readOrCreateSecret(file: string, fresh: string): Promise<string> {
  const existing = await readSecret(file);
  if (existing !== undefined) return existing;
  const draft = await writeDraft(file, fresh);
  try {
    await link(draft, file);
    return fresh;
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readSecret(file) : undefined;
    if (other === undefined) throw error;
    return other;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replaceSecret(file: string, secret: string): Promise<void> {
  if ((await readSecret(file)) === secret) return;
  await rename(await writeDraft(file, secret), file);
}

async function writeDraft(file: string, secret: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
  return draft;
}

async function readSecret(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text === '') throw new Error(`${file} is empty. Delete it, or restore its content.`);
  return text;
}
