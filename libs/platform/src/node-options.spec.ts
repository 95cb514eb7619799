import { readFileSync } from 'node:fs';
import { NODE_OPTIONS } from './node-options.js';

describe('Options of Node', () => {
  it('are the same in the container', () => {
    expect(readFileSync('docker/entrypoint.sh', 'utf8')).toContain(`node ${NODE_OPTIONS.join(' ')} `);
  });
});
