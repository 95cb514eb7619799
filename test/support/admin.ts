import { execFile } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

import { runCommand } from '../../apps/admin/src/run-command.js';

const root = path.resolve(import.meta.dirname, '../..');
const main = path.join(root, 'apps/admin/src/main.ts');
const typescript = pathToFileURL(path.join(import.meta.dirname, 'jest/typescript.mjs')).href;

/** The exit code and the output of a command. */
export interface AdminRun {
  readonly code: number;
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: string;
}

type Settings = Readonly<Record<string, string>>;

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with this text on standard input. */
type Run = (input: string, settings: Settings, words: readonly string[]) => Promise<Output>;

/** Runs a command of the admin CLI in this process, with only these settings in its environment. */
export const runAdmin = (settings: Settings, ...words: string[]): Promise<AdminRun> =>
  resultOf(runHere('', settings, words));

/** The same, with text on standard input. */
export const runAdminWithInput = (input: string, settings: Settings, ...words: string[]): Promise<AdminRun> =>
  resultOf(runHere(input, settings, words));

/** The texts that a command writes, if its output is not JSON. */
export const adminOutput = (settings: Settings, ...words: string[]): Promise<Output> => runHere('', settings, words);

/** The same as `runAdminWithInput` in a process of its own, for tests of the process itself. It takes seconds to start. */
export const runAdminProcess = (input: string, settings: Settings, ...words: string[]): Promise<AdminRun> =>
  resultOf(runProcess(input, settings, words));

async function resultOf(run: Promise<Output>): Promise<AdminRun> {
  const { code, stdout, stderr } = await run;
  return { code, result: stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>), error: stderr };
}

const runHere: Run = async (input, env, words) => {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const code = await runCommand(words, {
    env,
    stdin: Readable.from([input]),
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
};

const runProcess: Run = (input, settings, words) =>
  new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, ...settings };
    const child = execFile(
      process.execPath,
      ['--import', typescript, main, ...words],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
