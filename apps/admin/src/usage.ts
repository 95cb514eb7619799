import type { Command } from './command.js';

const synopsis = ({ name, operand, options }: Command): string => {
  const words = Object.entries(options).map(([option, { type, required }]) => {
    const word = type === 'string' ? `--${option} …` : `--${option}`;
    return required ? word : `[${word}]`;
  });
  return [name, ...(operand === undefined ? [] : [operand]), ...words].join(' ');
};

/** What the command line can do, for people. */
export const usage = (commands: readonly Command[]): string =>
  [
    'Usage: npm run -s admin -- <command>',
    '',
    ...commands.map((command) => `  ${synopsis(command)}\n      ${command.about}`),
    '',
  ].join('\n');
