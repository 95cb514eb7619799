import { distance } from 'fastest-levenshtein';
import { COMMON_OPTIONS, type CommandSyntax } from './command.js';

const synopsis = ({ name, arguments: words = [], options }: CommandSyntax): string => {
  const optionWords = Object.entries(options).map(([option, { type, required }]) => {
    const word = type === 'string' ? `--${option} …` : `--${option}`;
    return required ? word : `[${word}]`;
  });
  return [name, ...words.map((word) => `<${word.name}>`), ...optionWords].join(' ');
};

/** One line of help for each argument and option. */
const optionLines = ({ arguments: words = [], options }: Pick<CommandSyntax, 'arguments' | 'options'>): string[] => {
  const entries = [
    ...words.map(({ name, about }) => [`<${name}>`, about] as const),
    ...Object.entries(options).map(([name, { about }]) => [`--${name}`, about] as const),
  ];
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, about]) => `        ${name.padEnd(width)}  ${about}`);
};

/** The help text of the command line. */
export const usage = (commands: readonly CommandSyntax[]): string =>
  [
    'Usage: npm run -s admin -- <command>',
    '',
    ...commands.flatMap((command) => [`  ${synopsis(command)}`, `      ${command.about}`, ...optionLines(command)]),
    '',
    'Every command:',
    ...optionLines({ options: COMMON_OPTIONS }),
    '',
  ].join('\n');

/** More mistakes than this make another word. */
const MAX_MISTAKES = 2;

/**
 * The command that was probably meant: one with a word of the input, such as `user list` for `user`, or one that
 * differs by a typing mistake. Undefined if there is none: a command that only looks a little like the input may do
 * harm.
 */
export function nearestCommand(input: string, commands: readonly CommandSyntax[]): string | undefined {
  const words = input.toLowerCase().split(' ');
  const candidates = commands.map(({ name }) => {
    const parts = name.split(' ');
    const mistakes = distance(words.slice(0, parts.length).join(' '), name);
    return { name, mistakes, isNear: mistakes <= MAX_MISTAKES || parts.some((part) => words.includes(part)) };
  });
  const near = candidates.filter(({ isNear }) => isNear);
  near.sort((one, other) => one.mistakes - other.mistakes);
  return near[0]?.name;
}
