// An authenticator for passkeys, made of node:crypto. `change` replaces a part of what it says.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;
const sha256 = (data) => createHash('sha256').update(data).digest();

/** One passkey of example.com. */
export function newPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(point.x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(point.y, 'base64url'),
  ]);
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  let counter = 0;

  function statement(type, challenge, change, flags, attested = Buffer.alloc(0)) {
    const said = { type, challenge, origin: change.origin ?? 'https://example.com', crossOrigin: false };
    const count = Buffer.alloc(4);
    count.writeUInt32BE(change.counter ?? ++counter);
    const given = Buffer.from([change.verified === false ? flags & ~USER_VERIFIED : flags]);
    return {
      client: Buffer.from(JSON.stringify(said)),
      data: Buffer.concat([sha256(change.rpId ?? 'example.com'), given, count, attested]),
    };
  }

  return {
    id,
    counter: () => counter,
    register(challenge, change = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose]);
      const flags = USER_PRESENT | USER_VERIFIED | ATTESTED;
      const { client, data } = statement('webauthn.create', challenge, change, flags, attested);
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
      };
    },
    signIn(challenge, change = {}) {
      const { client, data } = statement('webauthn.get', challenge, change, USER_PRESENT | USER_VERIFIED);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      if (change.signature === false) signature[signature.length - 1] ^= 1;
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(change.user && { userHandle: Buffer.from(change.user).toString('base64url') }),
        },
      };
    },
  };
}
