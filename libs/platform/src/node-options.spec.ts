import { readFileSync } from 'node:fs';
import { NODE_ENVIRONMENT, NODE_OPTIONS } from './node-options.js';

const entrypoint = readFileSync('docker/entrypoint.sh', 'utf8');

describe('Node options', () => {
  it('are the same in the container', () => {
    expect(entrypoint).toContain(`node ${NODE_OPTIONS.join(' ')} `);
  });

  it('come with the same environment variables in the container', () => {
    for (const [name, value] of Object.entries(NODE_ENVIRONMENT))
      expect(entrypoint).toContain(`export ${name}=${value}\n`);
  });
});
