// `npm run build`: builds unconditionally.
import { build } from './build-step.mjs';
import { exclusively } from './lock.mjs';
import { ScriptError } from './toolchain.mjs';

try {
  await exclusively(build);
} catch (error) {
  if (!(error instanceof ScriptError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
