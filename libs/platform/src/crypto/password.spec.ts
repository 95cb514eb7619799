import { SCRYPT_HASH } from '#test/support/scrypt-hash.js';
import { hashPassword, isOutdated, verifyPassword } from './password.js';

describe('A password', () => {
  it('is verified against its own hash only', async () => {
    const hash = await hashPassword('correct horse battery staple');
    await expect(verifyPassword('correct horse battery staple', hash)).resolves.toBe(true);
    await expect(verifyPassword('correct horse battery stapl', hash)).resolves.toBe(false);
    await expect(verifyPassword('', hash)).resolves.toBe(false);
  });

  it('has a self-describing Argon2id hash with a different salt each time', async () => {
    const [first, second] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
  });

  it('matches regardless of the Unicode form of its accents', async () => {
    const hash = await hashPassword('pa\u00dfw\u00f6rter');
    await expect(verifyPassword('pa\u00dfwo\u0308rter', hash)).resolves.toBe(true);
  });

  it('is rejected if the hash is missing, malformed or has unsupported parameters', async () => {
    const hash = await hashPassword('secret');
    const foreign = [undefined, '', 'secret', '$2b$12$abcdefghijklmnopqrstuv', hash.replace('m=19456', 'm=999999999')];
    foreign.push(
      hash.replace('t=2', 't=99'),
      SCRYPT_HASH.replace('ln=15', 'ln=40'),
      SCRYPT_HASH.replace(/\$[^$]+$/, '$'),
    );
    // An empty key would equal any other empty key.
    foreign.push(hash.replace(/\$[^$]+$/, '$'), hash.replace(/\$[^$]+$/, '$AAAA'));
    for (const text of foreign) await expect(verifyPassword('secret', text)).resolves.toBe(false);
  });

  it('is verified against the scrypt hash of an earlier release, which counts as outdated', async () => {
    await expect(verifyPassword('correct horse battery staple', SCRYPT_HASH)).resolves.toBe(true);
    await expect(verifyPassword('correct horse battery stapl', SCRYPT_HASH)).resolves.toBe(false);
    expect([isOutdated(SCRYPT_HASH), isOutdated(await hashPassword('new'))]).toEqual([true, false]);
  });

  it('takes about as long to reject without a hash as with one', async () => {
    const hash = await hashPassword('secret');
    const time = async (stored: string | undefined): Promise<number> => {
      const start = performance.now();
      await verifyPassword('wrong', stored);
      return performance.now() - start;
    };
    const known = Math.min(await time(hash), await time(hash), await time(hash));
    const unknown = Math.min(await time(undefined), await time(undefined), await time(undefined));
    expect(unknown).toBeGreaterThan(known / 3);
  });
});
