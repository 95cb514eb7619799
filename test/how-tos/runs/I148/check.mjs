// Answers the request of the how-to as an identity provider would, and as an attacker would.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { startRedis } from './support/redis.mjs';

for (const name of ['idp', 'other'])
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`.split(' '),
    { stdio: 'ignore' },
  );
process.env.REDIS_URL = await startRedis();
const code = await readFile('block_1.ts', 'utf8');
assert.ok(code.includes("'/run/secrets/idp.pem'"));
await writeFile('here.ts', `${code.replace("'/run/secrets/idp.pem'", "'idp.pem'")}\nexport { redis };\n`);
const { start, accept, redis } = await import('./here.ts');

async function request() {
  const address = new URL(await start());
  assert.equal(address.origin + address.pathname, 'https://idp.example.com/sso');
  const xml = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest'), 'base64')).toString();
  assert.match(xml, /AssertionConsumerServiceURL="https:\/\/app\.example\.com\/saml\/acs"/);
  return / ID="([^"]+)"/.exec(xml)[1];
}

/** Signs the element with this id, and puts the signature behind its issuer. */
function signed(xml, id, { signer = 'idp', ownKey = false }) {
  const pem = { privateKey: keys[`${signer}.key`], publicCert: keys[`${signer}.pem`] };
  const signature = new SignedXml({
    ...pem,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    ...(ownKey ? {} : { getKeyInfoContent: () => null }),
  });
  const place = `//*[@ID='${id}']`;
  signature.addReference({
    xpath: place,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  signature.computeSignature(xml, { location: { reference: `${place}/*[local-name()='Issuer']`, action: 'after' } });
  return signature.getSignedXml();
}
const keys = {};
for (const name of ['idp.key', 'idp.pem', 'other.key', 'other.pem']) keys[name] = await readFile(name, 'utf8');

const ACS = 'https://app.example.com/saml/acs';
const at = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();
function assertion(options) {
  const { to, id = `_${randomUUID()}`, name = 'ann@example.com', age = 0, lasts = 300, recipient = ACS } = options;
  const { audience = 'https://app.example.com/saml' } = options;
  const [issued, until] = [at(-age), at(lasts - age)];
  const bearer = (address) =>
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${to}"${
      address && ` Recipient="${address}"`
    } NotOnOrAfter="${until}"/></saml:SubjectConfirmation>`;
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${issued}"><saml:Issuer>idp</saml:Issuer><saml:Subject><saml:NameID>${name}</saml:NameID>${[
    recipient,
  ]
    .flat()
    .map(bearer)
    .join('')}</saml:Subject><saml:Conditions NotBefore="${issued}" NotOnOrAfter="${until}">${
    audience && `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`
  }</saml:Conditions><saml:AuthnStatement AuthnInstant="${issued}"/></saml:Assertion>`;
}
function response(options) {
  const { to, sign = ['assertion', 'response'], ownKey, signer } = options;
  const [id, ownId] = [`_${randomUUID()}`, options.id ?? `_${randomUUID()}`];
  const text = assertion({ ...options, id: ownId });
  const part = sign.includes('assertion') ? signed(text, ownId, { signer, ownKey }) : text;
  const whole = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(0)}" Destination="${ACS}" InResponseTo="${to}"><saml:Issuer>idp</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${part}</samlp:Response>`;
  return sign.includes('response') ? signed(whole, id, { signer, ownKey }) : whole;
}
const send = (xml) => accept({ SAMLResponse: Buffer.from(xml).toString('base64') });

const right = response({ to: await request() });
assert.equal(await send(right), 'ann@example.com');
await assert.rejects(send(right), /InResponseTo/);

// The same assertion to two requests, and to one at the same time.
const id = `_${randomUUID()}`;
assert.equal(await send(response({ to: await request(), id })), 'ann@example.com');
await assert.rejects(send(response({ to: await request(), id })), /used before/);
const twice = response({ to: await request() });
const both = await Promise.allSettled([send(twice), send(twice)]);
assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);

const refused = {
  'another audience': { audience: 'https://other.example.com/saml' },
  'no audience': { audience: '' },
  'another recipient': { recipient: 'https://other.example.com/saml/acs' },
  'no recipient': { recipient: '' },
  'one of two recipients': { recipient: [ACS, 'https://other.example.com/saml/acs'] },
  'ten minutes old': { age: 600 },
  'ten minutes old, but valid for an hour': { age: 600, lasts: 3_600 },
  'of the future': { age: -600 },
  'only the assertion signed': { sign: ['assertion'] },
  'only the response signed': { sign: ['response'] },
  unsigned: { sign: [] },
  'another key': { signer: 'other' },
  'a certificate in the message': { signer: 'other', ownKey: true },
  'no name': { name: '' },
};
for (const [what, options] of Object.entries(refused))
  await assert.rejects(send(response({ to: await request(), ...options })), what);
await assert.rejects(send(response({ to: `_${randomUUID()}` })), /InResponseTo/);
await assert.rejects(send(response({ to: await request() }).replace(/ InResponseTo="[^"]+"/, '')));

async function changed(what, change, harmless = false) {
  const to = await request();
  const xml = change(response({ to }), to);
  const outcome = await send(xml).catch(() => 'refused');
  assert.ok(outcome === 'refused' || (harmless && outcome === 'ann@example.com'), `${what}: ${outcome}`);
}
const forged = (to) => assertion({ to, name: 'admin@example.com' });
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
await changed('another name', (xml) => xml.replace('>ann@', '>admin@'));
await changed('a second assertion behind', (xml, to) => xml.replace(ASSERTION, (part) => part + forged(to)));
await changed('a second assertion before', (xml, to) => xml.replace(ASSERTION, (part) => forged(to) + part));
await changed('moved into an extension', (xml, to) =>
  xml.replace(ASSERTION, (part) => `${forged(to)}<samlp:Extensions>${part}</samlp:Extensions>`),
);
await changed('nested', (xml, to) =>
  xml.replace(ASSERTION, (part) =>
    forged(to).replace('</saml:Subject>', `</saml:Subject><saml:Advice>${part}</saml:Advice>`),
  ),
);
await changed('the signed response inside another one', (xml, to) =>
  response({ to, name: 'admin@example.com', sign: [] }).replace(
    '<samlp:Status>',
    `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`,
  ),
);
await changed('a document type', (xml) => `<!DOCTYPE r [<!ENTITY a "admin@example.com">]>${xml}`);
await changed('a document type in small letters', (xml) => `<!doctype r>${xml}`);
await changed(
  'an entity',
  (xml) => `<!DOCTYPE r [<!ENTITY a "admin@example.com">]>${xml.replace('>ann@example.com<', '>&a;<')}`,
);
await changed('a comment', (xml) => xml.replace('ann@example.com', 'ann@example.com<!-- -->.evil.test'), true);
// The provider signs a name with a comment for an attacker who may choose names.
const comment = response({ to: await request(), name: 'ann@example.com<!-- -->.evil.test' });
const name = await send(comment).catch(() => 'refused');
assert.ok(['refused', 'ann@example.com.evil.test'].includes(name), name);
redis.destroy();
process.exit();
