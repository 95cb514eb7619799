import path from 'node:path';
import { formatOfName, unknownFormat } from '#content/import/difference/file-names.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { type ImportResult, importInProcess } from '#content/import/import-in-process.js';
import { shownChanges } from '#content/import/difference/shown-changes.js';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { operatorOf } from '#domain/kernel/operator.js';
import type { JobError } from '#domain/exchange/job/job.rules.js';
import { type Command, CommandError } from '../command.js';
import { withProgress } from '../with-progress.js';
import { choice, MAX_PATH_LENGTH, MAX_WORD_LENGTH, ORGANIZATION, organizationOf } from './choose.js';

const FILE = 'file';

/** `standard.csv, row 3, priority: …`, without the parts that are null. */
const lineOf = ({ file, row, field, details }: JobError): string => {
  const position = [file, row === null ? null : `row ${row}`, field].filter((part) => part !== null).join(', ');
  return position === '' ? details : `${position}: ${details}`;
};

export const importCommands: readonly Command[] = [
  {
    name: 'import',
    about: 'imports an exported archive, or a single file of one, as an import job would',
    arguments: [{ name: FILE, about: 'the archive or file', isRead: true }],
    options: {
      model: { type: 'string', about: `model of the file, if it is not an archive: ${CONTENT_MODELS.join(', ')}` },
      'dry-run': { type: 'boolean', about: 'shows what would change, and changes nothing' },
      organization: ORGANIZATION,
    },
    run: async ({ orm }, options) => {
      const file = path.resolve(options.required(FILE, MAX_PATH_LENGTH));
      const modelOption = options.text('model', MAX_WORD_LENGTH);
      const model = modelOption === undefined ? null : choice('--model', CONTENT_MODELS, modelOption);
      if (model !== null && formatOfName(file) === undefined) throw new CommandError(unknownFormat(file));
      const organization = await organizationOf(orm.em.fork(), options);
      const dryRun = options.flag('dry-run');
      let changes: readonly unknown[] = [];
      const review = async ({ job }: ImportResult): Promise<boolean> => {
        if (dryRun) changes = await shownChanges(orm.em.fork(), job);
        return !dryRun;
      };
      try {
        const { job, summary, interpreted } = await withProgress((watch) =>
          importInProcess(
            orm.em,
            operatorOf(organization.id),
            { path: file, fileName: path.basename(file), model },
            watch,
            review,
          ),
        );
        return {
          job: Number(job),
          applied: !dryRun,
          summary,
          ...(interpreted.length && { interpreted }),
          ...(dryRun && { changes }),
          organization: organization.id,
        };
      } catch (error) {
        if (error instanceof InvalidFiles) throw new CommandError(error.errors.map(lineOf).join('\n'));
        throw error;
      }
    },
  },
];
