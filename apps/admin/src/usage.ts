import { closest } from 'fastest-levenshtein';
import type { Command } from './command.js';

const synopsis = ({ name, arguments: words = [], options }: Command): string => {
  const optionWords = Object.entries(options).map(([option, { type, required }]) => {
    const word = type === 'string' ? `--${option} …` : `--${option}`;
    return required ? word : `[${word}]`;
  });
  return [name, ...words.map((word) => `<${word.name}>`), ...optionWords].join(' ');
};

/** One line of help for each argument and option. */
const optionLines = ({ arguments: words = [], options }: Command): string[] => {
  const entries = [
    ...words.map(({ name, about }) => [`<${name}>`, about] as const),
    ...Object.entries(options).map(([name, { about }]) => [`--${name}`, about] as const),
  ];
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, about]) => `        ${name.padEnd(width)}  ${about}`);
};

/** The help text of the command line. */
export const usage = (commands: readonly Command[]): string =>
  [
    'Usage: npm run -s admin -- <command>',
    '',
    ...commands.flatMap((command) => [`  ${synopsis(command)}`, `      ${command.about}`, ...optionLines(command)]),
    '',
  ].join('\n');

/** The most similar command: one that contains a word of the input if possible, such as `user list` for `user`. */
export const nearestCommand = (input: string, commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name);
  const words = input.toLowerCase().split(' ');
  const sharing = names.filter((name) => name.split(' ').some((word) => words.includes(word)));
  return closest(input, sharing.length ? sharing : names);
};
