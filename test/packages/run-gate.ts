import { execFile } from 'node:child_process';
import path from 'node:path';

const file = path.resolve(import.meta.dirname, '../../packages/gate/merlon-gate.mjs');

/** What the tool wrote, and its exit status. */
export interface GateRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with this environment only. */
export const runProgram = (
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<GateRun> =>
  new Promise((resolve) => {
    execFile(program, words, { env }, (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), stdout, stderr });
    });
  });

/** Runs `merlon-gate`. */
export const runGate = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<GateRun> =>
  runProgram(process.execPath, [file, ...words], env);
