import { argon2, type Argon2Parameters, randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

/**
 * OWASP's recommendation: 19 MiB and about 0.05 s of one core. Each hash stores its own cost, so raising it invalidates
 * none.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** A hash with a higher cost was not created here. Computing it would only help an attacker. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const MAX_PASSES = 16;

const CURRENT = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

const ARGON2_FORM =
  /^\$argon2id\$v=19\$m=(?<m>[1-9]\d{0,8}),t=(?<t>[1-9]\d?),p=(?<p>[1-9])\$(?<salt>[\w+/]{22,})\$(?<key>[\w+/]+)$/;

/** The format of releases before Argon2id; such a hash is replaced when its user signs in. */
const SCRYPT_FORM = /^\$scrypt\$ln=(?<logN>\d{1,2}),r=(?<r>\d{1,2}),p=(?<p>\d{1,2})\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/;

/**
 * Hashes a password with Argon2id and a random salt.
 *
 * @param password the password; it is normalised (NFKC), so that input from a different keyboard still matches
 * @returns a self-describing hash: `$argon2id$v=19$m=…,t=…,p=…$<salt>$<key>`, in base64 without padding
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await byArgon2(password, { ...COST, nonce: salt, tagLength: KEY_BYTES });
  return `${CURRENT}${unpadded(salt)}$${unpadded(key)}`;
}

/** Whether a hash has an outdated format or cost, so that it should be replaced at the next sign-in. */
export const isOutdated = (hash: string): boolean => !hash.startsWith(CURRENT);

/**
 * Compares a password with a hash, in constant time.
 *
 * @param password the password
 * @param hash a result of `hashPassword`, perhaps from an earlier release; undefined if there is no such user: the
 *   comparison takes as long and returns false, so that the time does not reveal whether the user exists
 * @returns whether the password matches; false for a hash of an unknown format
 */
export async function verifyPassword(password: string, hash = ''): Promise<boolean> {
  const stored = readArgon2(hash) ?? readScrypt(hash);
  if (stored === undefined) {
    await byArgon2(password, { ...COST, nonce: Buffer.alloc(SALT_BYTES), tagLength: KEY_BYTES });
    return false;
  }
  if (stored.memoryBytes > MAX_MEMORY_BYTES || stored.key.length < KEY_BYTES) return false;
  return timingSafeEqual(await stored.derive(password), stored.key);
}

interface StoredHash {
  readonly memoryBytes: number;
  readonly key: Buffer;
  readonly derive: (password: string) => Promise<Buffer>;
}

function readArgon2(hash: string): StoredHash | undefined {
  const { m: memory, t: passes, p: parallelism, salt = '', key = '' } = ARGON2_FORM.exec(hash)?.groups ?? {};
  // Argon2 requires at least 8 KiB for each lane.
  if (memory === undefined || Number(passes) > MAX_PASSES || Number(memory) < 8 * Number(parallelism)) return undefined;
  const expected = Buffer.from(key, 'base64');
  return {
    memoryBytes: Number(memory) * 1024,
    key: expected,
    derive: (password) =>
      byArgon2(password, {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        nonce: Buffer.from(salt, 'base64'),
        tagLength: expected.length,
      }),
  };
}

function readScrypt(hash: string): StoredHash | undefined {
  const { logN, r, p, salt = '', key = '' } = SCRYPT_FORM.exec(hash)?.groups ?? {};
  if (logN === undefined) return undefined;
  const expected = Buffer.from(key, 'base64url');
  const memoryBytes = 128 * 2 ** Number(logN) * Number(r) * Math.max(1, Number(p));
  // Node's own limit of 32 MiB is just below the memory that N=2^15, r=8 requires.
  const options: ScryptOptions = { N: 2 ** Number(logN), r: Number(r), p: Number(p), maxmem: memoryBytes * 2 };
  return {
    memoryBytes,
    key: expected,
    derive: (password) =>
      new Promise((resolve, reject) => {
        scrypt(normalised(password), Buffer.from(salt, 'base64url'), expected.length, options, (error, derived) =>
          error ? reject(error) : resolve(derived),
        );
      }),
  };
}

function byArgon2(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { ...parameters, message: normalised(password) }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const normalised = (password: string): string => password.normalize('NFKC');

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
