import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const main = path.join(root, 'apps/admin/src/main.ts');
const typescript = pathToFileURL(path.join(import.meta.dirname, 'jest/typescript.mjs')).href;

/** The exit code and the output of a command. */
export interface AdminRun {
  readonly code: number;
  readonly result: Readonly<Record<string, unknown>>;
  readonly error: string;
}

/** Runs a command of the admin CLI in a separate process, with only these settings in its environment. */
export const runAdmin = (settings: Readonly<Record<string, string>>, ...words: string[]): Promise<AdminRun> =>
  runAdminWithInput('', settings, ...words);

/** The same, with text on standard input. */
export async function runAdminWithInput(
  input: string,
  settings: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<AdminRun> {
  const { code, stdout, stderr } = await run(input, settings, words);
  return { code, result: stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>), error: stderr };
}

/** The texts that a command writes, if its output is not JSON. */
export const adminOutput = (settings: Readonly<Record<string, string>>, ...words: string[]): ReturnType<typeof run> =>
  run('', settings, words);

const run = (
  input: string,
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> =>
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
