import { job } from '#jobs/queues.js';
import { checkHandlers } from './handler-registry.js';

const declared = (name: string) => job<{ id: number }>({ name, concurrency: 1, key: ({ id }) => String(id) });
const one = declared('one.run');
const two = declared('two.run');

describe('A worker', () => {
  it('starts if each job has exactly one handler', () => {
    expect(() => checkHandlers([one, two], [{ job: two as never }, { job: one as never }])).not.toThrow();
  });

  it('fails to start if a job has no handler', () => {
    expect(() => checkHandlers([one, two], [{ job: one as never }])).toThrow('The job "two.run" has no handler.');
  });

  it('fails to start if a job has two handlers', () => {
    expect(() => checkHandlers([one], [{ job: one as never }, { job: one as never }])).toThrow(
      'The job "one.run" has 2 handlers.',
    );
  });

  it('fails to start if a handler has an unknown job', () => {
    expect(() => checkHandlers([one], [{ job: one as never }, { job: two as never }])).toThrow(
      'A handler exists for the unknown job "two.run"',
    );
  });
});
