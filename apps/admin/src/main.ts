import { parseArgs } from 'node:util';
import { type FieldErrors, Invalid } from '#domain/kernel/domain-errors.js';
import { migrations } from '#domain/migrations/index.js';
import { ConfigurationError } from '#platform/configuration.js';
import { withoutSecrets } from '#platform/logging.js';
import { schemaState } from '#platform/operations/schema-state.js';
import { type Command, CommandError, Options, type Session } from './command.js';
import { backupCommands } from './commands/backup.js';
import { catalogCommands } from './commands/catalog.js';
import { exportCommands } from './commands/export.js';
import { importCommands } from './commands/import.js';
import { organizationCommands } from './commands/organization.js';
import { setupCommands } from './commands/setup.js';
import { tokenCommands } from './commands/token.js';
import { trendCommands } from './commands/trends.js';
import { upgradeCommands } from './commands/upgrades.js';
import { userCommands } from './commands/user.js';
import { withSession } from './session.js';
import { nearestCommand, usage } from './usage.js';

/** All commands, in the order in which the help lists them. */
const COMMANDS: readonly Command[] = [
  ...setupCommands,
  ...organizationCommands,
  ...userCommands,
  ...tokenCommands,
  ...catalogCommands,
  ...upgradeCommands,
  ...exportCommands,
  ...importCommands,
  ...trendCommands,
  ...backupCommands,
];

const args = process.argv.slice(2);
process.exitCode = await main();

/** Runs the command that the arguments name. Returns the exit code: 1 if it failed, 2 if there is no such command. */
async function main(): Promise<number> {
  if (['help', '--help', '-h'].includes(args[0] ?? '')) {
    process.stdout.write(usage(COMMANDS));
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (!command) {
    const input = args.filter((word) => !word.startsWith('-')).join(' ');
    const unknown = `The command "${input}" does not exist. Did you mean "${nearestCommand(input, COMMANDS)}"?\n`;
    process.stderr.write(`${input === '' ? '' : unknown}${usage(COMMANDS)}`);
    return 2;
  }
  try {
    const options = optionsOf(command, args.slice(command.name.split(' ').length));
    const result = await withSession(async (session) => {
      if (!command.anySchema) await assertSchema(session);
      return command.run(session, options);
    });
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${withoutSecrets(reasonOf(error))}\n`);
    return 1;
  }
}

/** Parses a command's arguments and options. Throws `CommandError` if one is unknown or missing. */
function optionsOf(command: Command, args: readonly string[]): Options {
  const types = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]));
  const names = (command.arguments ?? []).map(({ name }) => name);
  let options: Options;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: types,
      strict: true,
      allowPositionals: names.length > 0,
    });
    if (positionals.length > names.length)
      throw new CommandError(`"${positionals[names.length]}" is an unexpected argument.`);
    const missing = names[positionals.length];
    if (missing !== undefined) throw new CommandError(`<${missing}> is missing.`);
    options = new Options({
      ...values,
      ...Object.fromEntries(names.map((name, index) => [name, positionals[index]])),
    });
  } catch (error) {
    throw new CommandError(oneLine(error instanceof Error ? error.message : String(error)));
  }
  for (const [name, { required }] of Object.entries(command.options)) if (required) options.required(name, Infinity);
  return options;
}

/**
 * Throws `CommandError` if the database lacks the schema of this release. A database that can't be reached passes: the
 * command itself reports that.
 */
async function assertSchema({ orm }: Session): Promise<void> {
  if ((await schemaState(orm.em.fork().getKysely(), migrations)) === 'migrations are missing')
    throw new CommandError('The database is not set up for this release. Run "admin setup" first.');
}

/** `email: This e-mail address is already in use.`, for each invalid field. */
function messagesOf(errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([field, messages]) =>
    [messages].flat().map((message) => `${field}: ${typeof message === 'string' ? message : JSON.stringify(message)}`),
  );
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** The error message: one line, unless the command's own message has several. */
function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof Invalid) return messagesOf(error.errors).join(' ');
  if (error instanceof ConfigurationError) return `The configuration is not valid: ${error.errors.join(' ')}`;
  if (!(error instanceof Error)) return String(error);
  return oneLine(error.message || error.name);
}
