import type { Command } from './command.js';
import { nearestCommand, usage } from './usage.js';

const make: Command = {
  name: 'thing make',
  about: 'makes a thing',
  arguments: [{ name: 'file', about: 'what to make it of' }],
  options: {
    colour: { type: 'string', required: true, about: 'red or blue' },
    fast: { type: 'boolean', about: 'takes less time' },
  },
  run: () => Promise.resolve(),
};
const list: Command = { name: 'thing list', about: 'lists things', options: {}, run: () => Promise.resolve() };

describe('The help of the command line', () => {
  it('lists every command with its arguments and options', () => {
    expect(usage([make, list])).toBe(
      [
        'Usage: npm run -s admin -- <command>',
        '',
        '  thing make <file> --colour … [--fast]',
        '      makes a thing',
        '        <file>    what to make it of',
        '        --colour  red or blue',
        '        --fast    takes less time',
        '  thing list',
        '      lists things',
        '',
        'Every command:',
        '        --json  prints the result as JSON, also on a terminal',
        '',
      ].join('\n'),
    );
  });
});

describe('Suggesting a similar command', () => {
  const commands = ['setup', 'user create', 'user list', 'token list', 'token revoke', 'restore', 'library load'].map(
    (name): Command => ({ ...list, name }),
  );

  it.each([
    ['user', 'user list'],
    ['token', 'token list'],
    ['revoke', 'token revoke'],
    ['LIBRARY', 'library load'],
    ['token revok', 'token revoke'],
    ['tokn list', 'token list'],
    ['usr crate', 'user create'],
    ['setpu', 'setup'],
    ['restor x.tar', 'restore'],
  ])('finds the nearest command to "%s": %s', (input, expected) => {
    expect(nearestCommand(input, commands)).toBe(expected);
  });

  it.each(['frobnicate', 'versions', 'status', 'destroy', 'start', 'upgrade', 'x', 'reset'])(
    'suggests nothing for "%s", which no command resembles',
    (input) => {
      expect(nearestCommand(input, commands)).toBeUndefined();
    },
  );
});
