import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_LOG_BYTES = 50 * 1024 * 1024;

/** Where the output of the processes goes. */
export interface Logs {
  /** Absolute paths of the files; empty where the output goes to ours. */
  readonly files: readonly string[];
  /** What to give to a process as its output. */
  outputOf(name: string): number | 'inherit';
}

/**
 * Decides where logs go: to standard output as JSON lines, for whatever collects them there; to files when standard
 * output is a terminal, where they would bury the start screen.
 *
 * @param dataDir the installation's folder
 * @param names of the processes
 * @returns where each one's output goes
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
