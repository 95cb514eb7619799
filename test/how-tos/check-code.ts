// Reads code blocks as JSON from the standard input and writes their errors to the standard output. It runs as a separate
// process with --liftoff-only, because V8 runs out of memory when it optimizes large WebAssembly modules.
import { json } from 'node:stream/consumers';
import { findTypeErrors } from './check-types.ts';
import type { CodeBlock } from './code-blocks.ts';
import { findFault } from './parsers.ts';

const blocks = (await json(process.stdin)) as CodeBlock[];
const faults: string[] = [];
for (const { id, language, code } of blocks) {
  const fault = await findFault(language, code);
  if (fault !== undefined) faults.push(`${id} (${language}) ${fault}`);
}

const typed = blocks.filter(({ language }) => ['ts', 'tsx', 'js'].includes(language));
const excerpts = new Map(typed.map(({ id, language, code }, n) => [`/how-tos/${id}-${n}.${language}`, code]));
for (const [name, fault] of findTypeErrors(excerpts)) faults.push(`${name.replace('/how-tos/', '')} ${fault}`);
process.stdout.write(JSON.stringify(faults));
