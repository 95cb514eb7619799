// Code of how-tos listens on ports such as 3000: here, it gets a free one.
import { once } from 'node:events';
import { Server } from 'node:net';

/** The address at which `start` listens, whatever its port, and its server. */
export async function listening(start) {
  const { promise, resolve } = Promise.withResolvers();
  const { value: original } = Object.getOwnPropertyDescriptor(Server.prototype, 'listen');
  Server.prototype.listen = function listen() {
    resolve(this);
    return original.call(this, 0, '127.0.0.1');
  };
  try {
    const started = start();
    const server = await Promise.race([promise, Promise.resolve(started).then(() => promise)]);
    if (!server.listening) await once(server, 'listening');
    await started;
    return { server, address: `http://127.0.0.1:${server.address().port}` };
  } finally {
    Server.prototype.listen = original;
  }
}
