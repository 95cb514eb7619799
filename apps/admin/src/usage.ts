import { closest } from 'fastest-levenshtein';
import type { Command } from './command.js';

const synopsis = ({ name, arguments: words = [], options }: Command): string => {
  const named = Object.entries(options).map(([option, { type, required }]) => {
    const word = type === 'string' ? `--${option} …` : `--${option}`;
    return required ? word : `[${word}]`;
  });
  return [name, ...words.map((word) => `<${word.name}>`), ...named].join(' ');
};

/** A line for each argument and option that says what it is. */
const explained = ({ arguments: words = [], options }: Command): string[] => {
  const named = [
    ...words.map(({ name, about }) => [`<${name}>`, about] as const),
    ...Object.entries(options).map(([name, { about }]) => [`--${name}`, about] as const),
  ];
  const width = Math.max(...named.map(([name]) => name.length));
  return named.map(([name, about]) => `        ${name.padEnd(width)}  ${about}`);
};

/** What the command line can do, for people. */
export const usage = (commands: readonly Command[]): string =>
  [
    'Usage: npm run -s admin -- <command>',
    '',
    ...commands.flatMap((command) => [`  ${synopsis(command)}`, `      ${command.about}`, ...explained(command)]),
    '',
  ].join('\n');

/**
 * The name of the command that words which name none are nearest to: of those that have one of the words, if any, such as
 * `user list` for `user`.
 */
export const nearestCommand = (given: string, commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name);
  const words = given.toLowerCase().split(' ');
  const sharing = names.filter((name) => name.split(' ').some((word) => words.includes(word)));
  return closest(given, sharing.length ? sharing : names);
};
