// `npm run bench -- NAME [OPTION …]` runs a benchmark of the folder `benchmarks`; the first lines of its file describe its
// options. Without a name, `requests` runs. `npm run bench -- --help` prints the names.
import { readdirSync } from 'node:fs';
import path from 'node:path';

const names = readdirSync(path.join(import.meta.dirname, 'benchmarks')).map((file) => path.basename(file, '.ts'));
const [word = ''] = process.argv.slice(2);

if (word === '--help') {
  console.log(`npm run bench -- NAME [OPTION …], where NAME is one of: ${names.join(', ')}`);
} else {
  // The benchmark reads its own options from the rest of the command line.
  const [name] = names.includes(word) ? process.argv.splice(2, 1) : ['requests'];
  await import(`./benchmarks/${name}.ts`);
}
