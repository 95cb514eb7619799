// `npm run library:check [-- FOLDER]` checks the starter library, or the library in that folder, by all rules for a
// release. It prints when each countermeasure applies and why, how far each regulation is covered, which pinned releases
// are outdated, and each error as a sentence that names the item, and fails if there is one.
import path from 'node:path';

import { readLibrary } from '#content/library/schema/library-schema.js';
import { checkLibrary } from './check-library.ts';
import { conditionReport } from './condition-report.ts';
import { coverageReport } from './coverage-report.ts';
import { outdatedPins } from './pin-rules.ts';

const [folder = path.resolve(import.meta.dirname, '../../libs/content/library')] = process.argv.slice(2);
const library = await readLibrary(folder);
const today = new Date().toISOString().slice(0, 10);
for (const line of [...conditionReport(library), ...coverageReport(library), ...outdatedPins(today)])
  process.stdout.write(`${line}\n`);
const errors = checkLibrary(library);
for (const error of errors) process.stderr.write(`${error}\n`);
if (errors.length) process.exitCode = 1;
else process.stdout.write(`The library in ${folder} complies with every rule.\n`);
