// Loads the same order as its owner and as others, by each path, also at the same moment.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { graphql } from 'graphql';
import { withPostgres } from './support/postgres.mjs';
import { connectPrisma } from './support/prisma.mjs';

const SCHEMA = `
  CREATE TABLE "Order" (id text PRIMARY KEY, "tenantId" text NOT NULL, "ownerId" text NOT NULL, margin int NOT NULL);
  INSERT INTO "Order" VALUES ('7', 'a', 'ann', 12), ('8', 'a', 'bob', 13), ('9', 'b', 'eve', 14);
`;
const viewer = (id, tenantId, ...permissions) => ({ id, tenantId, permissions: new Set(permissions) });
const ann = viewer('ann', 'a', 'order.margin');
const chief = viewer('chief', 'a', 'order.read-all');
const strangers = [viewer('bob', 'a'), viewer('eve', 'b', 'order.read-all'), viewer('ann', 'b', 'order.margin')];

await withPostgres(async ({ url, pool }) => {
  await pool().query(SCHEMA);
  const statements = [];
  connectPrisma(url, (statement) => statements.push(statement));
  const { contextFor, schema } = await import('./block_1.ts');
  const ask = async (source, context) => {
    const { data, errors } = await graphql({ schema, source, contextValue: context });
    assert.equal(errors, undefined);
    return JSON.parse(JSON.stringify(data));
  };
  const BOTH = '{ order(id: "7") { id margin } node(id: "7") { id ... on Order { margin } } }';
  const both = (order) => ({ order, node: order });

  statements.length = 0;
  assert.deepEqual(await ask(BOTH, contextFor(ann)), both({ id: '7', margin: 12 }));
  assert.equal(statements.length, 1, 'each path has a query of its own');
  assert.deepEqual(await ask(BOTH, contextFor(viewer('ann', 'a'))), both({ id: '7', margin: null }));
  assert.deepEqual(await ask(BOTH, contextFor(chief)), both({ id: '7', margin: null }));
  for (const other of strangers) assert.deepEqual(await ask(BOTH, contextFor(other)), both(null), other.id);

  const context = contextFor(ann);
  assert.deepEqual(
    await ask('{ a: order(id: "7") { id } b: order(id: "8") { id } c: order(id: "x") { id } }', context),
    {
      a: { id: '7' },
      b: null,
      c: null,
    },
  );
  const answers = await Promise.all([ann, ...strangers].map((one) => ask(BOTH, contextFor(one))));
  assert.deepEqual(answers, [both({ id: '7', margin: 12 }), ...strangers.map(() => both(null))]);

  // A field that declares nothing ends the start.
  const code = await readFile('block_1.ts', 'utf8');
  assert.ok(code.includes('margin: Int }'));
  await writeFile('more.ts', code.replace('margin: Int }', 'margin: Int cost: Int }'));
  await assert.rejects(import('./more.ts'), /Order\.cost declares no permission/);
});
process.exit();
