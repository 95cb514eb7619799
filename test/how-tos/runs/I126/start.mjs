import { asked } from './orders.js';
import { listening } from './support/listening.mjs';

const { address, server } = await listening(() => import('./block_1.ts'));
const [answer] = server.listeners('request');
server.removeAllListeners('request').on('request', (request, response) => {
  if (request.url === '/asked') response.end(JSON.stringify(asked));
  else answer(request, response);
});
process.stdout.write(`${address}\n`);
