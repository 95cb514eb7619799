// Builds a site with the layout, and requests its pages as two users by turns.
import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import { build, site, start } from './support/next.mjs';

await mkdir('app/(personal)', { recursive: true });
await rename('block_1.tsx', 'app/(personal)/layout.tsx');
await site({
  'server/session.ts': `
    import { cookies } from 'next/headers';
    import { redirect } from 'next/navigation';
    export async function requireSession(): Promise<string> {
      const name = (await cookies()).get('__Host-session')?.value;
      if (name !== 'ann' && name !== 'bob') redirect('/sign-in');
      return name;
    }`,
  'server/accounts.ts': 'export const accountOf = async (name: string) => ({ name });',
  'app/sign-in/page.tsx': 'export default () => <p>sign in</p>;',
  'app/(personal)/account/page.tsx': `
    import { requireSession } from '@/server/session';
    export default async () => <p>Hello {await requireSession()}</p>;`,
  // Nothing in this page tells Next.js that it is personal.
  'app/(personal)/prices/page.tsx': 'export default async () => <p>{await Promise.resolve(Date.now())}</p>;',
});
assert.equal(build(), undefined);
const address = await start();

async function call(path, user, headers = {}) {
  const cookie = user && { cookie: `__Host-session=${user}` };
  const response = await fetch(address + path, { redirect: 'manual', headers: { ...cookie, ...headers } });
  const text = await response.text();
  return {
    status: response.status,
    text,
    cache: response.headers.get('cache-control') ?? '',
    headers: response.headers,
  };
}

const page = await call('/account', 'ann');
assert.equal(page.status, 200);
assert.match(page.cache, /private/);
assert.match(page.cache, /no-store/);
assert.equal(page.headers.get('age'), null);
const api = await call('/api/account', 'ann');
assert.deepEqual([api.status, api.text, api.cache], [200, '{"name":"ann"}', 'private, no-store']);
assert.match(api.headers.get('vary'), /cookie/i);
for (const path of ['/account', '/prices', '/prices?x-forwarded-host=a'])
  for (const headers of [{}, { rsc: '1' }]) {
    const { cache, status } = await call(path, 'ann', headers);
    if (status === 200) assert.match(cache, /no-store/, `${path}: ${cache}`);
    assert.doesNotMatch(cache, /s-maxage|public/, path);
  }
assert.doesNotMatch((await call('/account')).text, /Hello/);
assert.equal((await call('/account')).headers.get('location'), '/sign-in');

// What is the same for everyone may be stored.
assert.match((await call('/sign-in')).cache, /s-maxage/);
const [script] = /\/_next\/static\/[^"]+\.js/.exec(page.text);
assert.match((await call(script)).cache, /public, max-age=31536000, immutable/);

for (let turn = 0; turn < 10; turn++)
  for (const [user, other] of [
    ['ann', 'bob'],
    ['bob', 'ann'],
  ]) {
    for (const path of ['/account', '/api/account', '/account?x-forwarded-host=a']) {
      const { text } = await call(path, user);
      assert.ok(text.includes(user) && !text.includes(other), `${path} of ${user}`);
    }
    const unknown = await call('/account/x.css', user);
    assert.equal(unknown.status, 404);
    assert.ok(!unknown.text.includes(user) && !unknown.text.includes(other));
    assert.doesNotMatch(unknown.cache, /s-maxage|public/);
  }
process.exit();
