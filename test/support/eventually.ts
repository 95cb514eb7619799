import { setTimeout as sleep } from 'node:timers/promises';

type Condition = () => boolean | Promise<boolean>;

/** Waits until a condition holds; returns false if it does not in time. */
export async function settles(holds: Condition, seconds: number, pauseMilliseconds = 50): Promise<boolean> {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); await sleep(pauseMilliseconds))
    if (Date.now() > deadline) return false;
  return true;
}

/** Waits until a condition holds; throws if it does not in time. The limit is long: a busy machine may need it. */
export async function eventually(holds: Condition, seconds = 60): Promise<void> {
  if (!(await settles(holds, seconds))) throw new Error(`The condition was not met within ${seconds} s.`);
}
