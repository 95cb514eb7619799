import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, COMMON_OPTIONS, type CommandSyntax, Options } from './command.js';

/** Parses a command's arguments and options. Throws `CommandError` if one is unknown, missing or no existing file. */
export function parseOptions(command: CommandSyntax, words: readonly string[]): Options {
  const { arguments: expected = [] } = command;
  const options = { ...command.options, ...COMMON_OPTIONS };
  // Not strict, since Node's messages are about its own rules.
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined)
      throw new CommandError(
        `"${token.rawName}" is not an option of "${command.name}". "admin ${command.name} --help" lists them.`,
      );
    values[token.name] = option.type === 'boolean' ? flagOf(token) : valueOf(token);
  }

  if (positionals.length > expected.length)
    throw new CommandError(`"${positionals[expected.length]}" is an unexpected argument.`);
  for (const [index, { name, isRead }] of expected.entries()) {
    const word = positionals[index];
    if (word === undefined) throw new CommandError(`<${name}> is missing.`);
    if (isRead) requireFile(path.resolve(word));
    values[name] = word;
  }
  const parsed = new Options(values);
  for (const [name, { required }] of Object.entries(options)) if (required) parsed.required(name, Infinity);
  return parsed;
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function flagOf({ rawName, value }: OptionToken): true {
  if (value !== undefined) throw new CommandError(`${rawName} takes no value.`);
  return true;
}

/** Another option is no value, unless it is written as `--name=-value`. */
function valueOf({ rawName, value, inlineValue }: OptionToken): string {
  if (value === undefined || (!inlineValue && value.startsWith('-')))
    throw new CommandError(`${rawName} has no value.`);
  return value;
}

/** Throws unless there is a file at the path: reading a folder would fail later, without its name. */
function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new CommandError(`The file ${file} does not exist.`);
  if (found.isDirectory()) throw new CommandError(`${file} is a folder, not a file.`);
}
