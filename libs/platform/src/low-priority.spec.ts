import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import { lowerProcessPriority } from './low-priority.js';

const { PRIORITY_LOW } = constants.priority;
/** Missing if Linux distributes CPU time without regard to sessions. */
const hasGroups = existsSync('/proc/self/autogroup');
const groupPriority = (pid: number): number => Number(readFileSync(`/proc/${pid}/autogroup`, 'utf8').split(' ').at(-1));

async function withProcess(detached: boolean, work: (pid: number) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached,
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  try {
    await work(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

describe('Lowering the priority of a process', () => {
  it('lowers the priority of its session if it leads one', () =>
    withProcess(true, async (pid) => {
      lowerProcessPriority(pid, PRIORITY_LOW);
      expect(getPriority(pid)).toBe(PRIORITY_LOW);
      if (!hasGroups) return;
      await eventually(async () => groupPriority(pid) === PRIORITY_LOW);
      expect(groupPriority(pid)).toBe(PRIORITY_LOW);
    }));

  it('does not change the priority of a session that another process leads', () =>
    withProcess(false, async (pid) => {
      const before = hasGroups && groupPriority(pid);
      lowerProcessPriority(pid, PRIORITY_LOW);
      expect(getPriority(pid)).toBe(PRIORITY_LOW);
      await wait(500);
      expect(hasGroups && groupPriority(pid)).toBe(before);
    }));

  it('does nothing if the process no longer exists', () => {
    expect(() => lowerProcessPriority(2 ** 30, PRIORITY_LOW)).not.toThrow();
  });
});
