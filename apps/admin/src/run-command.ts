import { type FieldErrors, Invalid } from '#domain/kernel/domain-errors.js';
import { RequirementsError } from '#domain/migrations/requirements.js';
import { migrations } from '#domain/migrations/index.js';
import { ConfigurationError } from '#platform/configuration.js';
import { withoutSecrets } from '#platform/logging.js';
import { schemaState } from '#platform/operations/schema-state.js';
import { runningVersion } from '#platform/version.js';
import { type Command, CommandError, type LocalCommand, type Session, type Terminal } from './command.js';
import { backupCommands } from './commands/backup.js';
import { catalogCommands } from './commands/catalog.js';
import { demoCommands } from './commands/demo.js';
import { exportCommands } from './commands/export.js';
import { identityProviderCommands } from './commands/identity-provider.js';
import { importCommands } from './commands/import.js';
import { organizationCommands } from './commands/organization.js';
import { sessionCommands } from './commands/session.js';
import { setupCommands } from './commands/setup.js';
import { tokenCommands } from './commands/token.js';
import { trendCommands } from './commands/trends.js';
import { upgradeCommands } from './commands/upgrades.js';
import { userCommands } from './commands/user.js';
import { fileErrorMessage } from './file-errors.js';
import { parseOptions } from './parse-options.js';
import { renderResult } from './render-result.js';
import { withSession } from './session.js';
import { nearestCommand, usage } from './usage.js';

/** All commands, in the order in which the help lists them. */
const COMMANDS: readonly (Command | LocalCommand)[] = [
  ...setupCommands,
  ...organizationCommands,
  ...demoCommands,
  ...userCommands,
  ...tokenCommands,
  ...sessionCommands,
  ...identityProviderCommands,
  ...catalogCommands,
  ...upgradeCommands,
  ...exportCommands,
  ...importCommands,
  ...trendCommands,
  ...backupCommands,
  {
    name: 'version',
    about: 'shows the version of Merlon',
    options: {},
    report: () => ({ version: runningVersion() }),
  },
];

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Runs the command that the words name. Returns the exit code: 1 if it failed, 2 if there is no such command. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args[0] === 'help' || args.some((word) => HELP.has(word))) {
    terminal.stdout.write(usage(commandsFor(args.filter((word) => word !== 'help' && !word.startsWith('-')))));
    return 0;
  }
  const command = COMMANDS.find(({ name }) => startsWith(args, name));
  if (!command) {
    const input = args.filter((word) => !word.startsWith('-')).join(' ');
    terminal.stderr.write(input === '' ? usage(COMMANDS) : unknownCommand(input));
    return 2;
  }
  try {
    const options = parseOptions(command, args.slice(command.name.split(' ').length));
    const result =
      'report' in command
        ? command.report()
        : await withSession(terminal, async (session) => {
            if (!command.anySchema) await assertSchema(session);
            return command.run(session, options);
          });
    const isForPeople = terminal.stdout.isTTY === true && !options.flag('json');
    terminal.stdout.write(isForPeople ? renderResult(result) : `${JSON.stringify(result)}\n`);
    return 0;
  } catch (error) {
    terminal.stderr.write(`${withoutSecrets(reasonOf(error))}\n`);
    return 1;
  }
}

function startsWith(words: readonly string[], name: string): boolean {
  return name.split(' ').every((word, index) => words[index] === word);
}

/** The commands that the words name, such as all of `user` for `user`; all commands if the words name none. */
function commandsFor(words: readonly string[]): typeof COMMANDS {
  const [named] = COMMANDS.filter(({ name }) => startsWith(words, name));
  if (named) return [named];
  const family = COMMANDS.filter(({ name }) => words.length > 0 && startsWith(name.split(' '), words.join(' ')));
  return family.length ? family : COMMANDS;
}

function unknownCommand(input: string): string {
  const nearest = nearestCommand(input, COMMANDS);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `The command "${input}" does not exist.${hint}\n${usage(COMMANDS)}`;
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
  if (error instanceof CommandError || error instanceof RequirementsError) return error.message;
  if (error instanceof Invalid) return messagesOf(error.errors).join(' ');
  if (error instanceof ConfigurationError) return `The configuration is not valid: ${error.errors.join(' ')}`;
  if (!(error instanceof Error)) return String(error);
  const aboutFile = fileErrorMessage(error);
  if (aboutFile !== undefined) return aboutFile;
  return oneLine(error.message || error.name);
}
