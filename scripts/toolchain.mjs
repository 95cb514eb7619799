// What the other scripts share. They run before anything is installed and on the machine's own Node, which may be
// Node 20: no dependencies, nothing newer.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Least Node that the product runs on. */
const LEAST_NODE = [24, 7];

/** The folder of the checkout. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Where the scripts keep their own notes; npm leaves folders with a dot alone. */
export const notes = path.join(root, 'node_modules', '.merlon');

/** Something is wrong that the message says in full. */
export class Refusal extends Error {}

/**
 * Finds the Node that the project runs on: the one that npm installed with it, else the present one if it is new enough.
 *
 * @returns {string} path of the program
 * @throws {Refusal} with what to do, where there is none
 */
export function findNode() {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = path.join(root, 'node_modules', 'node', 'bin', program);
  if (existsSync(own)) return own;
  if (isNewEnough(process.version)) return process.execPath;
  throw new Refusal(
    `Merlon needs Node ${LEAST_NODE.join('.')} or newer, and this is ${process.version}. npm would have brought its own, ` +
      'but left it out, because it runs no install scripts here (ignore-scripts). Run\n\n' +
      '  npm rebuild node --ignore-scripts=false\n\nor use a newer Node.',
  );
}

/**
 * Reads a JSON file.
 *
 * @param {string} file
 * @returns {any} its content; undefined where there is no such file or it holds no JSON
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
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}
