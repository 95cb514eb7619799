import path from 'node:path';

import type { Setting } from './setting.js';
import { settings } from './settings.js';

type Settings = typeof settings;

/** `DATABASE_URL` → `databaseUrl`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** The name of an environment variable that the product reads. */
export type SettingName = keyof Settings;

/** The whole configuration: one field for each entry of `settings`. `dataDir` is an absolute path. */
export type Configuration = {
  readonly [Name in SettingName as CamelCase<Name>]: Settings[Name] extends Setting<infer Value> ? Value : never;
};

/** The environment can't be used. The message has one line for each thing that is wrong, and no secret. */
export class ConfigurationError extends Error {
  /** @param problems one sentence each, beginning with the variable's name */
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/**
 * Reads and checks the whole configuration. An empty variable counts as unset.
 *
 * @param env the environment; by default that of the process
 * @returns every setting, with its default where it is unset
 * @throws ConfigurationError with all that is wrong at once
 */
export function loadConfiguration(env: Record<string, string | undefined> = process.env): Configuration {
  const problems: string[] = [];
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = env[name]?.trim() === '' ? undefined : env[name];
    const source = given ?? setting.default;
    if (source === undefined) return [camelCase(name), undefined];
    const parsed = setting.parse(source);
    if ('value' in parsed) return [camelCase(name), parsed.value];
    problems.push(`${name} ${parsed.problem}${setting.secret ? '' : `: ${JSON.stringify(source)}`}.`);
    return [camelCase(name), undefined];
  });
  // The type is computed from the same table that the entries come from.
  const configuration = Object.fromEntries(values) as Configuration;

  const isSet = (name: SettingName): boolean => (env[name]?.trim() ?? '') !== '';
  if (isSet('DATABASE_URL') && !isSet('SECRET_KEY')) {
    problems.push('SECRET_KEY must be set where DATABASE_URL is: a key that only this machine knows would be lost.');
  }
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_READ_URL'] as const) {
    if (isSet(name) && !isSet('DATABASE_URL')) problems.push(`${name} must not be set without DATABASE_URL.`);
  }
  if (isSet('CUBE_API_URL') && !isSet('CUBE_API_SECRET')) {
    problems.push('CUBE_API_SECRET must be set where CUBE_API_URL is.');
  }
  if (problems.length === 0 && configuration.port === configuration.workerPort) {
    problems.push(`WORKER_PORT must differ from PORT: both are ${configuration.port}.`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...configuration, dataDir: path.resolve(configuration.dataDir) };
}

/**
 * Writes `.env.example` from the table of settings.
 *
 * @returns the file's text: every variable with its documentation, form and default
 */
export function renderEnvExample(): string {
  const blocks = Object.entries<Setting<unknown>>(settings).map(
    ([name, setting]) => `# ${setting.about}\n# ${capitalized(setting.form)}.\n${name}=${setting.default ?? ''}\n`,
  );
  return [
    '# Every setting with its default. An empty value counts as unset.\n# Written by `npm run env-example`.\n',
    ...blocks,
  ].join('\n');
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
