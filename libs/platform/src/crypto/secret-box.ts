import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assertSecretKey } from './secret-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `v1`, the key's public id, then nonce, ciphertext and tag. */
const SEALED_FORM = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Derives the encryption key, and the id by which a sealed text names it. Neither reveals the other or the secret. */
function keyOf(secretKey: string): Key {
  const derive = (use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `merlon ${use}`, bytes));
  return { id: derive('secret box id', 4).toString('hex'), bytes: derive('secret box key', 32) };
}

/**
 * Encrypts secrets for storage: AES-256-GCM with a key derived from `SECRET_KEY`. A sealed text names its key, so that
 * keys can be rotated: texts sealed with the previous key can still be opened, and new ones use the current key.
 */
export class SecretBox {
  private readonly current: Key;
  private readonly keys: ReadonlyMap<string, Key>;

  /**
   * @param secretKey the secret for new texts
   * @param previousSecretKey the previous secret, during a key rotation
   */
  constructor(secretKey: string, previousSecretKey?: string) {
    this.current = keyOf(secretKey);
    const keys = [this.current, ...(previousSecretKey === undefined ? [] : [keyOf(previousSecretKey)])];
    this.keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** The prefix of every text that is sealed with the current key. */
  get prefix(): string {
    return `v1.${this.current.id}.`;
  }

  /**
   * Encrypts a text.
   *
   * @param text the secret
   * @param purpose the kind of secret, such as `webhook.url`: the text can only be opened for the same purpose
   * @returns printable ASCII, different on every call
   */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return this.prefix + Buffer.concat(sealed).toString('base64url');
  }

  /**
   * Decrypts a sealed text.
   *
   * @param sealed a result of `seal`
   * @param purpose the purpose that it was sealed for
   * @returns the secret; undefined if its key is no longer configured, or if the text was tampered with
   */
  open(sealed: string, purpose: string): string | undefined {
    const [, id = '', payload = ''] = SEALED_FORM.exec(sealed) ?? [];
    const key = this.keys.get(id);
    const bytes = Buffer.from(payload, 'base64url');
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined; // tampered with, or sealed for another purpose
    }
  }
}

/**
 * Creates the secret box of a deployment.
 *
 * @param configuration must have `SECRET_KEY`, which `openDeployment` ensures
 * @returns the box
 * @throws Error if the key is missing
 */
export function openSecretBox(configuration: {
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: string | undefined;
}): SecretBox {
  return new SecretBox(assertSecretKey(configuration), configuration.secretKeyPrevious);
}
