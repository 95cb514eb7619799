import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_LOG_BYTES = 50 * 1024 * 1024;

/** The destination of the processes' output. */
export interface Logs {
  /** Absolute paths of the log files; empty if the output goes to the launcher's own standard output. */
  readonly files: readonly string[];
  /** The `stdio` entry for a process. */
  outputOf(name: string): number | 'inherit';
}

/**
 * Chooses the log destination: standard output as JSON lines, for a log collector; or files if standard output is a
 * terminal, where they would hide the start screen.
 *
 * @param dataDir the data folder of the deployment
 * @param names names of the processes
 * @returns the destination of each process's output
 */
export function openLogs(dataDir: string, names: readonly string[]): Logs {
  if (!process.stdout.isTTY) return { files: [], outputOf: () => 'inherit' };
  const folder = path.join(dataDir, 'log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map(names.map((name) => [name, path.join(folder, `${name}.log`)]));
  const descriptors = new Map(Array.from(files, ([name, file]) => [name, openLog(file)]));
  return { files: Array.from(files.values()), outputOf: (name) => descriptors.get(name) ?? 'inherit' };
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
