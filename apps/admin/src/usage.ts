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

/** The name of the command that is most similar to unknown input. */
export const nearestCommand = (given: string, commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name);
  return closest(given, names);
};
