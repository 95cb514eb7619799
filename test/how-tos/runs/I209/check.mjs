// Sends the signed forms and addresses to a server that judges them as S3 documents it, since no account is needed so.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';

const SECRET = 'of-the-check';
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDCHECK',
  AWS_SECRET_ACCESS_KEY: SECRET,
});
await writeFile('policy.json', await readFile('block_2.json'));
const { uploadForm, downloadUrl } = await import('./block_1.ts');

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const keyOf = (date) => ['eu-central-1', 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date));

/** S3's answer to a form, by "POST Policy" of its API reference: each field needs a condition that it meets. */
function post(fields, size) {
  const { Policy, 'X-Amz-Signature': signature, 'X-Amz-Date': date, ...others } = fields;
  if (hmac(keyOf(date.slice(0, 8)), Policy).toString('hex') !== signature) return 'SignatureDoesNotMatch';
  const { expiration, conditions } = JSON.parse(Buffer.from(Policy, 'base64'));
  if (new Date(expiration) < new Date()) return 'AccessDenied';
  const left = new Set([...Object.keys(others), 'X-Amz-Date']);
  for (const condition of conditions) {
    const [operator, name, value] = Array.isArray(condition)
      ? condition
      : ['eq', ...Object.entries(condition)[0].map((word, index) => (index ? word : `$${word}`))];
    if (operator === 'content-length-range') {
      if (size < name) return 'EntityTooSmall';
      if (size > value) return 'EntityTooLarge';
      continue;
    }
    const field = name.slice(1);
    left.delete(field);
    const sent = fields[field];
    if (operator === 'eq' ? sent !== value : !sent?.startsWith(value)) return 'AccessDenied';
  }
  return left.size === 0 ? 204 : 'AccessDenied';
}

/** S3's answer to a signed address, by "Authenticating Requests: Using Query Parameters". */
function get(address, method = 'GET') {
  const url = new URL(address);
  const { searchParams } = url;
  const signature = searchParams.get('X-Amz-Signature');
  searchParams.delete('X-Amz-Signature');
  const encode = (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const date = searchParams.get('X-Amz-Date');
  const canonical = [method, url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = `${date.slice(0, 8)}/eu-central-1/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  if (hmac(keyOf(date.slice(0, 8)), text).toString('hex') !== signature) return 'SignatureDoesNotMatch';
  const since = date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  return Date.now() > Date.parse(since) + searchParams.get('X-Amz-Expires') * 1000 ? 'AccessDenied' : 200;
}

const MIB = 1024 * 1024;
const { key, url, fields } = await uploadForm('t1');
assert.match(key, /^incoming\/t1\/[\da-f]{8}-[\da-f-]{27}$/);
assert.equal(fields.key, key);
assert.equal(new URL(url).host, 'uploads-example.s3.eu-central-1.amazonaws.com');
assert.notEqual((await uploadForm('t1')).key, key);
for (const size of [1, MIB, 10 * MIB]) assert.equal(post(fields, size), 204, String(size));
assert.equal(post(fields, 11 * MIB), 'EntityTooLarge');
assert.equal(post(fields, 0), 'EntityTooSmall');
for (const changed of [
  { 'Content-Type': 'text/html' },
  { 'Content-Type': 'application/pdf, text/html' },
  { key: 'incoming/t2/other' },
  { key: `${key}/x` },
  { bucket: 'documents-example' },
  { acl: 'public-read' },
  { 'x-amz-meta-a': 'b' },
  { success_action_redirect: 'https://evil.test/' },
])
  assert.equal(post({ ...fields, ...changed }, MIB), 'AccessDenied', JSON.stringify(changed));
const widened = JSON.parse(Buffer.from(fields.Policy, 'base64'));
widened.conditions = widened.conditions.filter((condition) => condition[0] !== 'content-length-range');
const forged = Buffer.from(JSON.stringify(widened)).toString('base64');
assert.equal(post({ ...fields, Policy: forged }, 11 * MIB), 'SignatureDoesNotMatch');

const address = await downloadUrl('t1/report.pdf');
assert.equal(new URL(address).searchParams.get('response-content-disposition'), 'attachment');
assert.equal(get(address), 200);
for (const method of ['PUT', 'DELETE', 'HEAD']) assert.equal(get(address, method), 'SignatureDoesNotMatch', method);
assert.equal(get(address.replace('report', 'other')), 'SignatureDoesNotMatch');
assert.equal(get(address.replace('attachment', 'inline')), 'SignatureDoesNotMatch');
assert.equal(get(address.replace('X-Amz-Expires=120', 'X-Amz-Expires=86400')), 'SignatureDoesNotMatch');

mock.timers.enable({ apis: ['Date'], now: Date.now() + 110_000 });
assert.equal(post(fields, MIB), 204);
assert.equal(get(address), 200);
mock.timers.setTime(Date.now() + 70_000);
assert.equal(post(fields, MIB), 'AccessDenied');
assert.equal(get(address), 'AccessDenied');

// The role may write into one folder and read from one bucket, and nothing else.
const { Statement } = JSON.parse(await readFile('policy.json', 'utf8'));
const allowed = (action, resource) =>
  Statement.some(
    ({ Effect, Action, Resource }) =>
      Effect === 'Allow' &&
      Action === action &&
      resource.startsWith(Resource.replace(/\*$/, '')) &&
      Resource.endsWith('*'),
  );
assert.ok(allowed('s3:PutObject', `arn:aws:s3:::uploads-example/${key}`));
assert.ok(allowed('s3:GetObject', 'arn:aws:s3:::documents-example/t1/report.pdf'));
for (const [action, resource] of [
  ['s3:ListBucket', 'arn:aws:s3:::uploads-example'],
  ['s3:GetObject', `arn:aws:s3:::uploads-example/${key}`],
  ['s3:PutObject', 'arn:aws:s3:::uploads-example/clean/x'],
  ['s3:PutObject', 'arn:aws:s3:::documents-example/x'],
  ['s3:DeleteObject', 'arn:aws:s3:::documents-example/x'],
])
  assert.ok(!allowed(action, resource), action);
