// Evaluates rules of customers and of attackers, and lints code that would evaluate a text.
import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint } from 'eslint';
import { compileRule } from './block_1.ts';

const order = { total: 150, country: 'DE', costPrice: 9 };
const rule = compileRule('order.total > 100.0 && order.country == "DE"');
assert.equal(rule(order), true);
assert.equal(rule({ ...order, country: 'FR' }), false);
assert.equal(rule({ ...order, total: 50 }), false);

const hostile = [
  'constructor.constructor("return process")()',
  'order.constructor == 1',
  'order.constructor.constructor("return process")() != null',
  'order["constructor"] != null',
  'order.__proto__ != null',
  'order.toString != null',
  'order.costPrice == 9',
  'process.env.HOME != ""',
  '7*7',
  'T(java.lang.Runtime).getRuntime()',
  "__import__('os')",
  'order.total = 1',
  '(() => true)()',
  '',
];
for (const source of hostile) {
  let result;
  try {
    result = compileRule(source)(order);
  } catch {
    continue;
  }
  assert.equal(result, false, source);
}
assert.equal(compileRule('has(order.toString)')(order), false);
assert.throws(() => compileRule(`true${' '.repeat(497)}`), /at most 500/);
assert.equal(compileRule(`true${' '.repeat(496)}`)(order), true);

const lint = async (text) => {
  const [{ messages }] = await new ESLint().lintText(text, { filePath: path.resolve('src/file.ts') });
  return messages.map(({ ruleId, message }) => ruleId ?? message);
};
const faults = [
  'new Function(input);',
  'eval(input);',
  "setTimeout('code');",
  'await import(input);',
  'require(input);',
  "require('node:vm');",
  "await import('vm');",
  "import { runInNewContext } from 'node:vm';",
  "process.getBuiltinModule('vm');",
];
for (const fault of faults) assert.ok((await lint(fault)).length >= 1, fault);
for (const fine of ["require('node:fs');", "import('node:fs');", 'setTimeout(() => {}, 1);'])
  assert.deepEqual(await lint(fine), [], fine);
