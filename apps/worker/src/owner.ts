import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Who works, in the rows that this process holds: for the person who looks for it. */
export const OWNER = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
