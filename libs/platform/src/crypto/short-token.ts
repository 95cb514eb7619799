import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** The only accepted algorithm: the one that a token names is ignored. */
const ALGORITHM = 'HS256';

/** The claims of a short-lived token. */
export interface ShortTokenClaims {
  readonly user: number;
  /** What it was requested with: the public id of a token, or a session. */
  readonly token: string;
}

/** Signs and verifies tokens that are valid for seconds and for one purpose. */
export class ShortTokens {
  private readonly key: Uint8Array;

  /** @param purpose the audience; the key is derived from it too, so that tokens for other purposes are rejected */
  constructor(
    secret: string,
    private readonly purpose: string,
    private readonly seconds: number,
  ) {
    this.key = createHmac('sha256', secret).update(`short-token:${purpose}`).digest();
  }

  sign({ user, token }: ShortTokenClaims): Promise<string> {
    return signToken(this.key, { token }, { subject: String(user), audience: this.purpose, seconds: this.seconds });
  }

  /** The claims of a token, or undefined if it is invalid, expired, or issued for another purpose. */
  async verify(text: string): Promise<ShortTokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(text, this.key, {
        algorithms: [ALGORITHM],
        audience: this.purpose,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      const [user, token] = [Number(payload.sub), payload['token']];
      return Number.isSafeInteger(user) && typeof token === 'string' ? { user, token } : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** Signs a token with these claims, valid for some seconds. */
export const signToken = (
  key: Uint8Array,
  claims: Readonly<Record<string, string | number>>,
  options: { readonly subject?: string; readonly audience?: string; readonly seconds: number },
): Promise<string> => {
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${options.seconds}s`);
  if (options.subject !== undefined) token.setSubject(options.subject);
  if (options.audience !== undefined) token.setAudience(options.audience);
  return token.sign(key);
};
