import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json } from './client.js';

const root = path.resolve(import.meta.dirname, '../..');

/** A file of the documentation, by its path in the repository. */
export const documentation = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The text below a heading of level two, up to the next one. */
export function sectionOf(markdown: string, heading: string): string {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  return section.split('\n## ')[0] ?? '';
}

/**
 * The commands of all shell blocks in a text, in order, each as a list of words. Supports what the documentation uses:
 * quotes, comments, and backslashes at the end of a line. Variables are not expanded.
 */
export const commandsIn = (markdown: string): string[][] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => split(block));

/** The examples of JSON in a text, in order. */
export const jsonIn = (markdown: string): Record<string, Json>[] =>
  [...markdown.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => JSON.parse(json) as Record<string, Json>);

/** Whitespace between words, the end of a command, a comment, or a part of a word. */
const TOKEN = /(\\\n|[ \t]+)|(\n)|(#[^\n]*)|'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"\\]+)/gy;

function split(block: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length) commands.push(words);
    words = [];
  };
  for (const [whole, blank, end, comment, single, double, plain] of block.matchAll(TOKEN))
    if (blank !== undefined) endWord();
    else if (end !== undefined) endCommand();
    else if (comment !== undefined && word === undefined) continue;
    else word = `${word ?? ''}${single ?? double ?? plain ?? whole}`;
  endCommand();
  return commands;
}

/** A request as `curl` would send it. */
export interface ShellRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** E-mail address of the user, who types the password. */
  readonly user: string | undefined;
}

/**
 * The request of a `curl` command, or of the function `merlon` that the pages define: `curl` with a token, for JSON.
 */
export function requestOf([program, ...words]: readonly string[]): ShellRequest {
  const headers: Record<string, string> =
    program === 'merlon' ? { Authorization: 'Token $(cat .data/admin-token)', 'Content-Type': 'application/json' } : {};
  let method: string | undefined;
  let url: string | undefined;
  let body: string | undefined;
  let user: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const value = words[index + 1] ?? '';
    if (word === '-sS') continue;
    if (!word.startsWith('-')) {
      url = word;
      continue;
    }
    index += 1;
    if (word === '-X') method = value;
    else if (word === '-d') body = value;
    else if (word === '-u') user = value;
    else if (word === '-H') headers[value.split(': ')[0] ?? ''] = value.split(': ')[1] ?? '';
    else if (word !== '-o' && word !== '-c') throw new Error(`This test does not support the option ${word}.`);
  }
  if (url === undefined) throw new Error(`The command has no URL: ${words.join(' ')}`);
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, headers, body, user };
}

/**
 * Sends a request to the API at this origin. `token` replaces the content of `.data/admin-token`, and `MERLON_TOKEN`.
 */
export function send(
  { method, url, headers, body, user }: ShellRequest,
  { origin, token, password = '' }: { origin: string; token: string; password?: string },
): Promise<Response> {
  const address = url.replace('$API', `${origin}/api/v2`).replace('http://localhost:3000', origin);
  const sent = new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      value.replace(/\$\(cat \.data\/admin-token\)|\$MERLON_TOKEN/, token).replace('http://localhost:3000', origin),
    ]),
  );
  if (user !== undefined) sent.set('Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  return fetch(address, { method, headers: sent, ...(body !== undefined && { body }) });
}
