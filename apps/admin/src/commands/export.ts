import path from 'node:path';
import { exportLibrary, type ExportProgress } from '#content/export/export-library.js';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '#domain/exchange/job/content-models.js';
import { type Command, CommandError, type Options } from '../command.js';
import { withProgress } from '../with-progress.js';
import { writeAtomically } from '../write-atomically.js';
import { choice, MAX_PATH_LENGTH, MAX_WORD_LENGTH, ORGANIZATION, organizationOf } from './choose.js';

/** The models that `--models` lists. Throws `CommandError` for an unknown or duplicate name. */
function modelsOf(options: Options): (typeof CONTENT_MODELS)[number][] {
  const names = options.required('models', MAX_WORD_LENGTH).split(',');
  const models = names.map((name) => choice('--models', CONTENT_MODELS, name.trim()));
  if (new Set(models).size < models.length) throw new CommandError('--models contains a duplicate.');
  return models;
}

export const exportCommands: readonly Command[] = [
  {
    name: 'export',
    about: 'exports the library of an organization to a ZIP file, as an export job would',
    options: {
      models: { type: 'string', required: true, about: `comma-separated list of ${CONTENT_MODELS.join(', ')}` },
      format: { type: 'string', required: true, about: FILE_FORMATS.join(', ') },
      out: { type: 'string', required: true, about: 'the file to write; an existing file is replaced' },
      type: { type: 'string', about: `${EXPORT_TYPES.join(' or ')} (content)` },
      organization: ORGANIZATION,
    },
    run: async ({ orm }, options) => {
      const contentModels = modelsOf(options);
      const fileFormat = choice('--format', FILE_FORMATS, options.required('format', MAX_WORD_LENGTH));
      const type = choice('--type', EXPORT_TYPES, options.text('type', MAX_WORD_LENGTH) ?? 'content');
      const out = path.resolve(options.required('out', MAX_PATH_LENGTH));
      const organization = await organizationOf(orm.em.fork(), options);

      const request = { organizationId: organization.id, type, fileFormat, contentModels };
      const written = await writeAtomically(out, {}, (write) =>
        withProgress(async ({ signal, progress }) => {
          let rows = 0;
          const count = (now: ExportProgress): void => {
            rows = now.done;
            progress(now);
          };
          await write(await exportLibrary(orm.em, request, { signal, progress: count }));
          return { rows };
        }),
      );
      return { ...written, organization: organization.id };
    },
  },
];
