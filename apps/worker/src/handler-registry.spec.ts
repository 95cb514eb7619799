import { job } from '#jobs/job.js';
import { checkHandlers } from './handler-registry.js';

const declared = (name: string) => job<{ id: number }>({ name, concurrency: 1, key: ({ id }) => String(id) });
const one = declared('one.run');
const two = declared('two.run');

describe('A worker', () => {
  it('starts where each job has exactly one handler', () => {
    expect(() => checkHandlers([one, two], [{ job: two as never }, { job: one as never }])).not.toThrow();
  });

  it('refuses to start where a job has no handler', () => {
    expect(() => checkHandlers([one, two], [{ job: one as never }])).toThrow('The job "two.run" has no handler.');
  });

  it('refuses to start where a job has two handlers', () => {
    expect(() => checkHandlers([one], [{ job: one as never }, { job: one as never }])).toThrow(
      'The job "one.run" has 2 handlers.',
    );
  });

  it('refuses to start with a handler for no job that there is', () => {
    expect(() => checkHandlers([one], [{ job: one as never }, { job: two as never }])).toThrow(
      'There is no job "two.run"',
    );
  });
});
