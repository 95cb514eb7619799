import { hashToken, newTokenText, tokenPublicId } from './token.js';

describe('A token', () => {
  it('has a prefix, a public id and 256 random bits', () => {
    const tokens = Array.from({ length: 200 }, newTokenText);
    for (const token of tokens) expect(token).toMatch(/^mrl_[a-z2-7]{8}_[A-Za-z0-9_-]{43}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('reveals its public id, which texts in another format do not have', () => {
    const token = newTokenText();
    expect(tokenPublicId(token)).toBe(token.slice(4, 12));
    for (const text of ['', 'mrl_', token.slice(1), `${token}x`, `${token}\n`, token.replace('mrl_', 'xyz_')]) {
      expect(tokenPublicId(text)).toBeUndefined();
    }
  });

  it('is stored as its SHA-256', () => {
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashToken(newTokenText())).toHaveLength(32);
  });
});
