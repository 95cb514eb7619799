import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { followParentUrl } from './follow-parent.js';
import { Restarts } from './restarts.js';

/** A process that is killed after the grace period may still have to write its last log line. */
const KILL_AFTER_GRACE_SECONDS = 2;

/**
 * A process that ends this many times before the service has been ready can't start here: its configuration is wrong.
 */
const FIRST_STARTS = 5;

/** The command line of a process and the destination of its output. */
export interface ProcessPlan {
  /** Shown to the user. */
  readonly name: string;
  /** Arguments after `node`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A file descriptor for both of its output streams, or `inherit` for the launcher's own. */
  readonly output: number | 'inherit';
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child process that is restarted when it ends, and that can be stopped. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private running: Promise<Ending> | undefined;
  private readonly stopped = new AbortController();

  constructor(private readonly plan: ProcessPlan) {}

  /**
   * Runs the process until it is stopped, and restarts it when it ends: a request that crashes it must not end the
   * service.
   *
   * @param report called after each end that is followed by a restart
   * @param mayGiveUp whether to stop restarting a process that repeatedly ends, as while the service starts
   * @returns undefined after `stop`; the last ending if it ended too often
   */
  async keepRunning(report: (sentence: string) => void, mayGiveUp: () => boolean): Promise<Ending | undefined> {
    const restarts = new Restarts();
    for (;;) {
      restarts.recordStart();
      const ending = await this.runOnce();
      if (this.stopped.signal.aborted) return undefined;
      const pause = restarts.pauseAfterDeath();
      if (restarts.deathsInARow >= FIRST_STARTS && mayGiveUp()) return ending;
      report(`The ${this.plan.name} ended (${describeEnding(ending)}). It restarts in ${pause / 1000} s.`);
      await sleep(pause, undefined, { signal: this.stopped.signal }).catch(() => undefined);
      if (this.stopped.signal.aborted) return undefined;
    }
  }

  /**
   * Runs the process once.
   *
   * @returns how it ended
   */
  runOnce(): Promise<Ending> {
    // The process gets its own process group: Ctrl-C reaches only the launcher, which decides the order in which to
    // stop.
    const child = spawn(process.execPath, ['--import', followParentUrl, ...this.plan.args], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', this.plan.output, this.plan.output, 'ipc'],
      env: this.plan.env,
    });
    this.child = child;
    this.running = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', () => resolve({ code: null, signal: null }));
    });
    return this.running;
  }

  /**
   * Asks the process to end, and waits until it has ended.
   *
   * @param graceSeconds how long it may take before it is killed
   * @returns whether it ended without being killed
   */
  async stop(graceSeconds: number): Promise<boolean> {
    this.stopped.abort();
    if (this.child === undefined || this.running === undefined) return true;
    this.child.kill('SIGTERM');
    const timer = new AbortController();
    const timeout = sleep((graceSeconds + KILL_AFTER_GRACE_SECONDS) * 1000, 'late' as const, { signal: timer.signal });
    const outcome = await Promise.race([this.running, timeout.catch(() => 'late' as const)]);
    timer.abort();
    if (outcome !== 'late') return true;
    this.child.kill('SIGKILL');
    await this.running;
    return false;
  }

  /** Kills the process. */
  kill(): void {
    this.stopped.abort();
    this.child?.kill('SIGKILL');
  }
}

/**
 * Describes an ending for messages.
 *
 * @param ending how a process ended
 * @returns `exit code 1` or `signal SIGKILL`
 */
export function describeEnding(ending: Ending): string {
  return ending.signal === null ? `exit code ${ending.code ?? 'unknown'}` : `signal ${ending.signal}`;
}
