// Sends requests with the headers that browsers set for pages of the same and of other sites.
import assert from 'node:assert/strict';
import { app } from './block_1.ts';

const server = app.listen(0);
const url = `http://127.0.0.1:${server.address().port}/sign-out`;
const post = async (headers, body) => (await fetch(url, { method: 'POST', headers, body })).status;
const own = 'https://app.example.com';
const evil = 'https://evil.example';
const sibling = 'https://other.example.com';

// `fetch` of Node.js sets Sec-Fetch-Mode only, so these are what arrives.
assert.equal(await post({ 'Sec-Fetch-Site': 'same-origin', Origin: own }), 204);
assert.equal(await post({ Origin: own }), 204);
const json = { 'Content-Type': 'application/json' };
assert.equal(await post({ ...json, 'Sec-Fetch-Site': 'same-origin', Origin: own }, '{}'), 204);

const refused = [
  {},
  { Origin: evil },
  { Origin: 'null' },
  { Origin: `${own}.evil.example` },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: own },
  { 'Sec-Fetch-Site': 'same-site', Origin: sibling },
  { 'Sec-Fetch-Site': 'same-origin', Origin: evil },
];
for (const headers of refused) assert.equal(await post(headers), 403, JSON.stringify(headers));
for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=a'])
  assert.equal(await post({ 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' }, 'a=b'), 415, type);
server.close();
