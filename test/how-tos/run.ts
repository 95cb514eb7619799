// `npm run how-tos [-- I262 …] [--record]` executes how-tos: it writes the code of each into a folder of its own, and
// runs the check next to it, which does what must work and what must not. `--record` dates those that passed.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { readLibrary } from '#content/library/schema/library-schema.js';
import { blocksOf, type CodeBlock } from './code-blocks.ts';

const RUNS = path.join(import.meta.dirname, 'runs');
/** What several checks start: each run sees this folder as `support`. */
const SUPPORT = path.join(import.meta.dirname, 'support');
/** The files in the repository: the library is read from its copy in `dist`. */
const SOURCES = path.resolve(import.meta.dirname, '../../libs/content/library/how-tos');
const MODULES = path.resolve(import.meta.dirname, '../../node_modules');
const MAX_MILLISECONDS = 120_000;

/** What runs a check, by the ending of its name. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  mjs: process.execPath,
  php: 'php',
  py: 'python3',
  rb: 'ruby',
  sh: 'bash',
};

/** A check that ends with this status lacks a command that the machine does not have. */
const LACKS_COMMAND = 77;

const execute = promisify(execFile);

/** The name that the first comment of a block gives its file, or one that counts. */
function nameOf({ code, language }: CodeBlock, index: number): string {
  const [, name] = /^(?:#|\/\/|--) ([\w.-]+(?:\/[\w.-]+)*\.\w+)$/m.exec(code.split('\n', 1)[0] ?? '') ?? [];
  return name ?? `block_${index + 1}.${language === 'python' ? 'py' : language}`;
}

async function layOut(folder: string, run: string, blocks: readonly CodeBlock[]): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    const file = path.join(folder, nameOf(block, index));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, block.code);
  }
  await cp(run, folder, { recursive: true });
  await symlink(SUPPORT, path.join(folder, 'support'));
  if (!(await readdir(folder)).includes('package.json')) await symlink(MODULES, path.join(folder, 'node_modules'));
  else await execute('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
}

interface Failure {
  readonly code?: unknown;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What a how-to did: nothing to say if it passed. */
async function outcomeOf(id: string, blocks: readonly CodeBlock[]): Promise<'passed' | { skipped: string } | Failure> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `how-to-${id}-`));
  try {
    await layOut(folder, path.join(RUNS, id), blocks);
    const check = (await readdir(folder)).find((name) => name.startsWith('check.')) ?? 'check.sh';
    const command = INTERPRETERS[check.slice(check.indexOf('.') + 1)] ?? 'bash';
    // Python would write what it compiles next to the modules of `support`.
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    await execute(command, [check], { cwd: folder, timeout: MAX_MILLISECONDS, env });
    return 'passed';
  } catch (error) {
    const failure = error as Failure;
    if (failure.code === LACKS_COMMAND || failure.code === 'ENOENT') return { skipped: failure.stderr ?? '' };
    return failure;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sets `reviewed_at` of a how-to, and of no other, in its file. */
async function record(id: string, day: string): Promise<void> {
  for (const name of await readdir(SOURCES)) {
    const file = path.join(SOURCES, name);
    const text = await readFile(file, 'utf8');
    const changed = text.replace(
      new RegExp(`(^- id: ${id}\\n(?:  .*\\n)*?  reviewed_at: )"[\\d-]+"`, 'm'),
      (_all, before: string) => `${before}"${day}"`,
    );
    if (changed !== text) await writeFile(file, changed);
  }
}

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const { howTos } = await readLibrary(defaultLibraryFolder());
const runs = (await readdir(RUNS)).filter((id) => !wanted.length || wanted.includes(id));
for (const id of runs) {
  const howTo = howTos.find((candidate) => candidate.id === id);
  if (!howTo) throw new Error(`There is no how-to ${id}.`);
  const outcome = await outcomeOf(id, blocksOf(id, howTo.text));
  if (outcome === 'passed') {
    process.stdout.write(`${id} passed: ${howTo.title} (${howTo.versions})\n`);
    if (words.includes('--record')) await record(id, new Date().toISOString().slice(0, 10));
  } else if ('skipped' in outcome) process.stdout.write(`${id} was not executed: ${outcome.skipped.trim()}\n`);
  else {
    process.stdout.write(`${id} failed: ${outcome.stderr || outcome.stdout || String(outcome)}\n`);
    process.exitCode = 1;
  }
}
