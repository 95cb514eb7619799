import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';

/** Cost of new hashes: 32 MiB and about 0.1 s of one core. Hashes carry their cost, so raising it here breaks none. */
const COST = { logN: 15, r: 8, p: 1 } as const;

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** A hash whose cost is beyond this is not ours: computing it would only help whoever wrote it. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

const HASH_FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/**
 * Hashes a password with scrypt and a random salt.
 *
 * @param password the password; it is normalised (NFKC), so that one typed on another keyboard still matches
 * @returns a text that describes itself: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, in base64url
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, KEY_BYTES, COST);
  const cost = `ln=${COST.logN},r=${COST.r},p=${COST.p}`;
  return `$scrypt$${cost}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Compares a password with a hash, in constant time.
 *
 * @param password the password
 * @param hash what `hashPassword` answered; undefined where there is no such user: it takes as long and is false, so
 *   that the time does not tell who exists
 * @returns whether they belong together; false for a hash that is not of our form
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parts = HASH_FORM.exec(hash ?? '');
  if (parts === null) {
    await derive(password, Buffer.alloc(SALT_BYTES), KEY_BYTES, COST);
    return false;
  }
  const [, logN, r, p, salt = '', stored = ''] = parts;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const expected = Buffer.from(stored, 'base64url');
  if (memoryOf(cost) > MAX_MEMORY_BYTES || expected.length < KEY_BYTES) return false;
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), expected.length, cost), expected);
}

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, salt: Buffer, bytes: number, cost: Cost): Promise<Buffer> {
  // Node's own limit of 32 MiB is just below what N=2^15, r=8 takes.
  const options: ScryptOptions = { N: 2 ** cost.logN, r: cost.r, p: cost.p, maxmem: memoryOf(cost) * 2 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function memoryOf(cost: Cost): number {
  return 128 * 2 ** cost.logN * cost.r * Math.max(1, cost.p);
}
