import { readFileSync } from 'node:fs';
import { NODE_ENVIRONMENT, NODE_OPTIONS } from './node-options.js';

const entrypoint = readFileSync('docker/entrypoint.sh', 'utf8');

describe('Options of Node', () => {
  it('are the same in the container', () => {
    expect(entrypoint).toContain(`node ${NODE_OPTIONS.join(' ')} `);
  });

  it('come with the same environment in the container', () => {
    for (const [name, value] of Object.entries(NODE_ENVIRONMENT))
      expect(entrypoint).toContain(`export ${name}=${value}\n`);
  });
});
