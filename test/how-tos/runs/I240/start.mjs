import { listening } from './support/listening.mjs';

const { address } = await listening(() => import('./main.js'));
process.stdout.write(`listening at ${address}\n`);
