import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { readSetupRequired } from '#platform/readiness.js';

import { shownOrigin } from './addresses.js';

const TIMEOUT_MILLISECONDS = 60_000;

/** How to find out whether a setup link is needed, and how to create it. */
export interface SetupLinkSource {
  /** As configured. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  /** URL of the API's `/auth/session/`. */
  readonly stateUrl: string;
  /** Path of the program of `admin` commands, and its environment. */
  readonly admin: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Creates a link that creates the first user who can sign in. The link is a secret: it goes through a pipe to the start
 * screen, and never to a log.
 *
 * @returns the link; undefined if someone can sign in, or if the link could not be created
 */
export async function createSetupLink(source: SetupLinkSource): Promise<string | undefined> {
  try {
    if (!(await readSetupRequired(source.stateUrl))) return undefined;
    const { stdout } = await promisify(execFile)(process.execPath, [source.admin, 'setup-link'], {
      env: source.env,
      timeout: TIMEOUT_MILLISECONDS,
    });
    const { hash } = new URL((JSON.parse(stdout) as { url: string }).url);
    return `${source.publicUrl ?? shownOrigin(source.host, source.port)}/setup${hash}`;
  } catch {
    // The service works without it, and `admin setup-link` shows the reason.
    return undefined;
  }
}
