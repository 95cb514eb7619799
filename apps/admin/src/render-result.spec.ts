import { renderResult } from './render-result.js';

describe('The result of a command on a terminal', () => {
  it('has a line for each field, with the fields of objects inside of it', () => {
    expect(
      renderResult({ user: { email: 'ada@example.com', groups: [] }, token: 'abc', scopes: ['read', 'write'] }),
    ).toBe(
      ['user.email   ada@example.com', 'user.groups  –', 'token        abc', 'scopes       read, write', ''].join('\n'),
    );
  });

  it('has a table for each list of objects, without columns in which all rows are empty', () => {
    const users = [
      { id: 1, email: 'ada@example.com', role: { id: 'UR1' }, last_login: null },
      { id: 20, email: 'bob@example.com', role: null, last_login: null },
    ];
    expect(renderResult({ organization: 'Example Ltd', users })).toBe(
      [
        'organization  Example Ltd',
        '',
        'users',
        '',
        'id  email            role.id',
        '1   ada@example.com  UR1',
        '20  bob@example.com',
        '',
      ].join('\n'),
    );
  });

  it('says that a list is empty', () => {
    expect(renderResult({ tokens: [] })).toBe('tokens  –\n');
  });

  it('shows control characters of names instead of passing them to the terminal', () => {
    const users = [{ name: 'Ada\u001b[2J\nBob' }, { name: 'Eve\u202edlo' }];
    const shown = renderResult({ note: '\u009b31m', users });
    expect(shown).toContain(String.raw`\u{9b}31m`);
    expect(shown).toContain(String.raw`Ada\u{1b}[2J\u{a}Bob`);
    expect(shown).toContain(String.raw`Eve\u{202e}dlo`);
  });
});
