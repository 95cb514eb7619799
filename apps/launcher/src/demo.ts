import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The demo could not be created. The message is complete: no stack trace is needed. */
export class DemoRefused extends Error {}

/**
 * Fills the organization with a made-up company at work.
 *
 * @param options `admin`: path of the program of `admin` commands. `env`: its environment. `signal`: stops it, which
 *   leaves the organization as it was
 * @throws DemoRefused if the organization already has projects
 */
export async function fillWithDemo(options: {
  admin: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): Promise<void> {
  const { admin, env, signal } = options;
  try {
    await promisify(execFile)(process.execPath, [admin, 'demo'], { env, signal });
  } catch (error) {
    if (signal.aborted) return;
    const { stderr = '' } = error as { stderr?: string };
    const reason = stderr.trim() === '' ? String(error) : stderr.trim();
    throw new DemoRefused(`${reason} Start again without --demo.`, { cause: error });
  }
}
