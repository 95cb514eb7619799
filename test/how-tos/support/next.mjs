// Builds and starts applications of Next.js in the folder of a check.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

const NEXT = path.resolve('node_modules/next/dist/bin/next');
const environment = () => ({ ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' });

/** Writes files by their names, next to those of the how-to. */
export async function site(files) {
  const compilerOptions = {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    jsx: 'react-jsx',
  };
  const settings = { ...compilerOptions, noEmit: true, skipLibCheck: true, paths: { '@/*': ['./*'] } };
  const include = ['app/**/*', 'server/**/*', 'next.config.ts'];
  for (const [name, content] of Object.entries({
    'tsconfig.json': JSON.stringify({ compilerOptions: settings, include }),
    'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
      return <html><body>{children}</body></html>;
    }`,
    ...files,
  })) {
    await mkdir(path.dirname(name), { recursive: true });
    await writeFile(name, content);
  }
}

/** What the build says if it fails. */
export function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEXT, 'build'], {
    env: environment(),
    encoding: 'utf8',
  });
  return status === 0 ? undefined : stdout + stderr;
}

/** The address of the built site, which ends with this process. */
export async function start() {
  const words = [NEXT, 'start', '--hostname', '127.0.0.1', '--port', '0'];
  const server = spawn(process.execPath, words, { env: environment(), stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('SIGTERM', () => process.exit(1));
  process.on('exit', () => server.kill());
  for await (const line of createInterface(server.stdout)) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address) {
      server.stdout.resume();
      return address;
    }
  }
  await once(server, 'exit');
  throw new Error('The site did not start.');
}
