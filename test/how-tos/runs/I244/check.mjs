// Answers in the place of the permission service: yes, no, unclear, broken, late and not at all.
import assert from 'node:assert/strict';
import { app } from './block_1.ts';

const own = globalThis.fetch;
let answer = () => Response.json({ allow: true });
globalThis.fetch = async (url, options) =>
  String(url).startsWith('https://policy.internal/') ? answer(options) : own(url, options);

const server = app.listen(0);
const url = `http://127.0.0.1:${server.address().port}/orders/7`;
const status = async (given) => {
  answer = given;
  return (await own(url)).status;
};

assert.equal(await status(() => Response.json({ allow: true })), 200);
for (const body of [{ allow: false }, {}, { allow: 'true' }, { allow: 1 }, null, [], 'allow'])
  assert.equal(await status(() => Response.json(body)), 403, JSON.stringify(body));
const silent = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
const broken = [
  () => Response.json({ allow: true }, { status: 500 }),
  () => Response.json({ allow: true }, { status: 404 }),
  () => new Response('allow'),
  () => Promise.reject(new TypeError('The connection was refused.')),
  silent,
];
for (const given of broken) assert.equal(await status(given), 503, String(given));
server.close();
