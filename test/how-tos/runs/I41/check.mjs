// Reads what the service logs while it works, while it fails, and when someone logs secrets.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

if (process.argv[2] !== 'log') {
  // Pino writes to the standard output: a process of its own shows it.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['check.mjs', 'log'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stdout, /marker/);
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const [confirmed, ...others] = lines.filter(({ msg }) => msg === 'order confirmed');
  assert.equal(others.length, 0);
  const { orderId, outcome, network } = confirmed;
  assert.deepEqual({ orderId, outcome, network }, { orderId: '7', outcome: 'confirmed', network: '192.0.2.0' });
  const failed = lines.find(({ msg }) => msg === 'request failed');
  assert.ok(failed.err.frames.length > 0 && failed.err.name === 'Error');
  const own = lines.find(({ msg }) => msg === 'secrets');
  assert.deepEqual(Object.keys(own).sort(), ['customer', 'hostname', 'level', 'msg', 'pid', 'time']);
  assert.deepEqual(own.customer, { password: '[removed]', token: '[removed]', name: '[secret]' });
  assert.match(stdout, /^\[secret\] a \[secret\]$/m);
} else {
  const { inspect } = await import('node:util');
  const { app, log, Secret, shortened } = await import('./block_1.ts');
  app.get('/broken', async () => {
    throw new Error('marker');
  });
  const statusOf = async (options) => (await app.inject(options)).statusCode;
  const url = '/orders/7/confirm?token=marker';
  assert.equal(await statusOf({ method: 'POST', url, remoteAddress: '192.0.2.77' }), 204);
  assert.equal(await statusOf('/unknown?token=marker'), 404);
  const broken = await app.inject('/broken?token=marker');
  assert.deepEqual([broken.statusCode, broken.json()], [500, { error: 'internal error' }]);
  const secret = new Secret('marker');
  assert.equal(secret.reveal(), 'marker');
  process.stdout.write(`${inspect(secret)} a ${secret}\n`);
  log.info({ password: 'marker', user: { mail: 'marker' }, secret }, 'secrets'.slice(0, 6));
  log.info({ customer: { password: 'marker', token: 'marker', name: secret } }, 'secrets');
  for (const [given, expected] of Object.entries({
    '::ffff:192.0.2.77': '192.0.2.0',
    '2001:db8:1:2::3': '2001:db8:1::',
    '2001:db8::1': '2001:db8:0::',
    '::1': '0:0:0::',
    name: '',
  }))
    assert.equal(shortened(given), expected, given);
  await app.close();
}
