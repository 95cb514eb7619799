import { setTimeout as sleep } from 'node:timers/promises';

type Condition = () => boolean | Promise<boolean>;

/** Waits until something holds, but not for ever; whether it does then. */
export async function settles(holds: Condition, seconds: number, pauseMilliseconds = 50): Promise<boolean> {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); await sleep(pauseMilliseconds))
    if (Date.now() > deadline) return false;
  return true;
}

/** Waits until something holds; throws where it does not in time. */
export async function eventually(holds: Condition, seconds = 10): Promise<void> {
  if (!(await settles(holds, seconds))) throw new Error(`The condition was not met within ${seconds} s.`);
}
