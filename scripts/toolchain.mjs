// Shared by the other scripts. They run before anything is installed and on the machine's own Node, which may be Node
// 20: no dependencies, nothing newer.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The minimum Node version. */
const MINIMUM_NODE = [24, 7];

/** The root folder of the checkout. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Folder for the scripts' own state; npm ignores folders whose name begins with a dot. */
export const notes = path.join(root, 'node_modules', '.merlon');

/** An error whose message is complete: no stack trace is needed. */
export class ScriptError extends Error {}

/**
 * Finds the Node for the project: the one that npm installed, otherwise the current one if it is new enough.
 *
 * @returns {string} path of the program
 * @throws {ScriptError} with instructions, if there is none
 */
export function findNode() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = path.join(root, 'node_modules', 'node', 'bin', program);
  if (existsSync(own)) return own;
  if (isNewEnough(process.version)) return process.execPath;
  throw new ScriptError(
    `Merlon needs Node ${MINIMUM_NODE.join('.')} or newer, and this is ${process.version}. npm usually installs ` +
      'one, but install scripts are disabled here (ignore-scripts). Run\n\n' +
      '  npm rebuild node --ignore-scripts=false\n\nor use a newer Node.',
  );
}

/**
 * Reads a JSON file.
 *
 * @param {string} file
 * @returns {any} its content; undefined if the file is missing or not JSON
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} version such as `v20.1.0` */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1]);
}
