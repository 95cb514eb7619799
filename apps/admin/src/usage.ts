import { closest } from 'fastest-levenshtein';
import type { Command } from './command.js';

const synopsis = ({ name, arguments: words = [], options }: Command): string => {
  const named = Object.entries(options).map(([option, { type, required }]) => {
    const word = type === 'string' ? `--${option} …` : `--${option}`;
    return required ? word : `[${word}]`;
  });
  return [name, ...words.map((word) => `<${word.name}>`), ...named].join(' ');
};

/** One line of help for each argument and option. */
const optionLines = ({ arguments: words = [], options }: Command): string[] => {
  const named = [
    ...words.map(({ name, about }) => [`<${name}>`, about] as const),
    ...Object.entries(options).map(([name, { about }]) => [`--${name}`, about] as const),
  ];
  const width = Math.max(...named.map(([name]) => name.length));
  return named.map(([name, about]) => `        ${name.padEnd(width)}  ${about}`);
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
export const nearestCommand = (given: string, commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name);
  const words = given.toLowerCase().split(' ');
  const sharing = names.filter((name) => name.split(' ').some((word) => words.includes(word)));
  return closest(given, sharing.length ? sharing : names);
};
