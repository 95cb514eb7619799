import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { NODE_ENVIRONMENT, NODE_OPTIONS } from '#platform/node-options.js';
import { WORKER_SETTINGS } from './worker.js';

const root = path.resolve(import.meta.dirname, '../..');

/** The message that each service logs when it is ready. */
const READY = { worker: '"Working"', api: '"Listening"' };

/** The built worker or API, in a separate process with the options of production, that can be killed and stopped. */
export class ServiceProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private output = '';

  constructor(
    private readonly service: keyof typeof READY,
    settings: Readonly<Record<string, string>>,
  ) {
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...NODE_ENVIRONMENT,
      ...WORKER_SETTINGS,
      LOG_LEVEL: 'info',
      ...settings,
    };
    const main = path.join(root, `dist/apps/${service}/src/main.js`);
    this.child = spawn(process.execPath, [...NODE_OPTIONS, main], { cwd: root, env });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('exit', () => resolve()));
  }

  get log(): string {
    return this.output;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The most resident memory since the start or the last `forgetPeak`, in bytes. Works on Linux only. */
  async peakBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Measures the peak of memory from now on. */
  forgetPeak(): Promise<void> {
    return writeFile(`/proc/${this.child.pid}/clear_refs`, '5');
  }

  /** Resolves when the service is ready. */
  async ready(): Promise<this> {
    while (!this.output.includes(READY[this.service])) {
      if (!this.isAlive) throw new Error(`The ${this.service} did not start:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  /** `kill -9`, `SIGSTOP`, `SIGCONT`, … */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
