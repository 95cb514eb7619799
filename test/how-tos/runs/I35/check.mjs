// Sends bodies that would change the prototype of all objects, and then freezes it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint } from 'eslint';
import { change, labelsOf } from './src/settings.ts';

const current = { theme: 'light', pageSize: 20 };
assert.deepEqual(change({}, { theme: 'dark' }), { theme: 'dark', pageSize: undefined });
assert.deepEqual(change(current, { pageSize: 50 }), { theme: 'light', pageSize: 50 });
for (const text of [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"prototype":{"polluted":1}}',
  '{"admin":true}',
]) {
  const changed = change(current, JSON.parse(text));
  assert.deepEqual(Object.keys(changed), ['theme', 'pageSize'], text);
  assert.equal(changed.polluted, undefined, text);
  assert.equal({}.polluted, undefined, text);
}
for (const body of [{ theme: 'x' }, { theme: { __proto__: { polluted: 1 } } }, null, []])
  assert.throws(() => change(current, body));
const names = ['__proto__', 'constructor', 'free name'];
const labels = labelsOf(names.map((name) => [name, 'value']));
assert.deepEqual([...labels.keys()], names);
assert.equal(labels.get('toString'), undefined);
assert.throws(() => labelsOf({ __proto__: null, a: 'b' }));

const lint = async (text) => {
  const [{ messages }] = await new ESLint().lintText(text, { filePath: path.resolve('src/file.ts') });
  return messages.map(({ ruleId }) => ruleId);
};
assert.deepEqual(await lint('target[key] = value;'), ['security/detect-object-injection']);
assert.deepEqual(await lint('target.set(key, value);'), []);

await import('./src/freeze.ts');
assert.throws(() => Object.assign(Object.prototype, { polluted: 1 }), TypeError);
assert.throws(() => void ({}.constructor.prototype.polluted = 1), TypeError);
assert.throws(() => void ({}.__proto__.polluted = 1), TypeError);
assert.equal({}.polluted, undefined);
