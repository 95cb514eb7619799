import path from 'node:path';

import { z } from 'zod';

import { documentation, type SettingDocumentation } from './setting.js';
import { settings } from './settings.js';

type Settings = z.output<typeof settings>;

/** `DATABASE_URL` → `databaseUrl`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** The name of an environment variable that the product reads. */
export type SettingName = keyof Settings;

/** The whole configuration: one field for each entry of `settings`. `dataDir` is an absolute path. */
export type Configuration = { readonly [Name in SettingName as CamelCase<Name>]: Settings[Name] };

/** The environment is invalid. The message has one line for each error, and no secrets. */
export class ConfigurationError extends Error {
  /** @param errors one sentence each, beginning with the variable's name */
  constructor(readonly errors: readonly string[]) {
    super(`The configuration is not valid:\n${errors.map((error) => `  ${error}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/** Settings that require another one; the error is reported for the setting in `at`. */
const DEPENDENCIES: readonly { name: SettingName; needs: SettingName; at: SettingName; error: string }[] = [
  {
    name: 'DATABASE_URL',
    needs: 'SECRET_KEY',
    at: 'SECRET_KEY',
    error: 'must be set if DATABASE_URL is set: a key that only this machine knows would be lost',
  },
  ...(['DATABASE_OWNER_URL', 'DATABASE_READ_URL'] as const).map((name) => ({
    name,
    needs: 'DATABASE_URL' as const,
    at: name,
    error: 'must not be set without DATABASE_URL',
  })),
  {
    name: 'SMTP_URL',
    needs: 'MAIL_FROM',
    at: 'MAIL_FROM',
    error: 'must be set if SMTP_URL is set',
  },
  {
    name: 'CUBE_API_URL',
    needs: 'CUBE_API_SECRET',
    at: 'CUBE_API_SECRET',
    error: 'must be set if CUBE_API_URL is set',
  },
];

/** Checks which settings must be set together. It reads the raw texts, so that it also runs if other checks fail. */
const dependencies = z.looseObject({}).superRefine((variables, context) => {
  for (const { name, needs, at, error } of DEPENDENCIES)
    if (name in variables && !(needs in variables)) context.addIssue({ code: 'custom', path: [at], message: error });
});

const environment = settings
  .refine(({ PORT, WORKER_PORT }) => PORT !== WORKER_PORT, { path: ['WORKER_PORT'], error: 'must differ from PORT' })
  .refine(({ MAX_BODY_BYTES, MAX_BODIES_BYTES }) => MAX_BODIES_BYTES >= 2 * MAX_BODY_BYTES, {
    path: ['MAX_BODIES_BYTES'],
    error: 'must be at least twice MAX_BODY_BYTES',
  });

/**
 * Reads and validates the whole configuration. An empty variable counts as unset.
 *
 * @param env the environment; by default that of the process
 * @returns every setting, with its default if it is unset
 * @throws ConfigurationError with all errors at once
 */
export function loadConfiguration(env: Record<string, string | undefined> = process.env): Configuration {
  const variables = Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()));
  const { error, data } = environment.safeParse(variables);
  const issues = [...(error?.issues ?? []), ...(dependencies.safeParse(variables).error?.issues ?? [])];
  if (!data || issues.length > 0) {
    throw new ConfigurationError([...new Set(issues.map((issue) => errorOf(issue, variables)))]);
  }
  const fields = Object.keys(settings.shape).map((name) => [camelCase(name), data[name as SettingName]]);
  // The type is derived from the same settings as the entries.
  const configuration = Object.fromEntries(fields) as Configuration;
  return { ...configuration, dataDir: path.resolve(configuration.dataDir) };
}

function errorOf({ path: [name], message }: z.core.$ZodIssue, variables: Record<string, string | undefined>): string {
  const { secret, default: fallback } = documentationOf(name as SettingName);
  return `${String(name)} ${message}${secret ? '' : `: ${JSON.stringify(variables[String(name)] ?? fallback)}`}.`;
}

/**
 * The documentation of a setting.
 *
 * @param name the name of its variable
 * @returns what `settings` registered for it
 */
export function documentationOf(name: SettingName): SettingDocumentation {
  const settingDocumentation = documentation.get(settings.shape[name]);
  if (!settingDocumentation) throw new Error(`The setting ${name} is not documented.`);
  return settingDocumentation;
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
