import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assertSecretKey } from './secret-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `v1`, the key's public id, and nonce, text and tag. */
const SEALED_FORM = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The key of the cipher, and an id by which a sealed text names it; neither tells anything of the other or the secret.
 */
function keyOf(secretKey: string): Key {
  const derive = (use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `merlon ${use}`, bytes));
  return { id: derive('secret box id', 4).toString('hex'), bytes: derive('secret box key', 32) };
}

/**
 * Encrypts secrets for storage: AES-256-GCM under a key that is derived of `SECRET_KEY`. A sealed text names its key,
 * so that keys can be changed: what the previous one sealed is still opened, and nothing is sealed with it any more.
 */
export class SecretBox {
  private readonly current: Key;
  private readonly keys: ReadonlyMap<string, Key>;

  /**
   * @param secretKey what new texts are sealed with
   * @param previousSecretKey the one before, while keys are being changed
   */
  constructor(secretKey: string, previousSecretKey?: string) {
    this.current = keyOf(secretKey);
    const keys = [this.current, ...(previousSecretKey === undefined ? [] : [keyOf(previousSecretKey)])];
    this.keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** How every text begins that is sealed with the current key. */
  get prefix(): string {
    return `v1.${this.current.id}.`;
  }

  /**
   * Seals a text.
   *
   * @param text the secret
   * @param purpose what it is, such as `webhook.url`: it can be opened as nothing else
   * @returns printable ASCII, another one every time
   */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return this.prefix + Buffer.concat(sealed).toString('base64url');
  }

  /**
   * Opens a sealed text.
   *
   * @param sealed what `seal` gave
   * @param purpose the same as then
   * @returns the secret; undefined where its key is gone, or where it was tampered with
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
      return undefined; // not what was sealed, or not for this purpose
    }
  }
}

/**
 * The box of an installation.
 *
 * @param configuration has `SECRET_KEY`, as `openInstallation` sees to
 * @returns the box
 * @throws where the key is missing
 */
export function openSecretBox(configuration: {
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: string | undefined;
}): SecretBox {
  return new SecretBox(assertSecretKey(configuration), configuration.secretKeyPrevious);
}
