import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '#domain/content-models.js';
import { exportLibrary, type ExportProgress } from '#content/export/export-library.js';
import { type Command, CommandError, type Options } from '../command.js';
import { ProgressBar } from '../progress-bar.js';
import { choice, interruptible, LONGEST_PATH, LONGEST_WORD, ORGANIZATION, organizationOf } from './choose.js';

/** Models by name, each once. Throws `CommandError`. */
function modelsOf(options: Options): (typeof CONTENT_MODELS)[number][] {
  const names = options.required('models', LONGEST_WORD).split(',');
  const models = names.map((name) => choice('--models', CONTENT_MODELS, name.trim()));
  if (new Set(models).size < models.length) throw new CommandError('--models names one twice.');
  return models;
}

export const exportCommands: readonly Command[] = [
  {
    name: 'export',
    about: 'writes the library, as an organization sees it, into a ZIP, as an export job would',
    options: {
      models: { type: 'string', required: true, about: `comma-separated, of ${CONTENT_MODELS.join(', ')}` },
      format: { type: 'string', required: true, about: FILE_FORMATS.join(', ') },
      out: { type: 'string', required: true, about: 'the file to write; one that is there is replaced' },
      type: { type: 'string', about: `${EXPORT_TYPES.join(' or ')} (content)` },
      organization: ORGANIZATION,
    },
    run: async ({ orm }, options) => {
      const contentModels = modelsOf(options);
      const fileFormat = choice('--format', FILE_FORMATS, options.required('format', LONGEST_WORD));
      const type = choice('--type', EXPORT_TYPES, options.text('type', LONGEST_WORD) ?? 'content');
      const out = path.resolve(options.required('out', LONGEST_PATH));
      const organization = await organizationOf(orm.em.fork(), options);

      const bar = new ProgressBar();
      let rows = 0;
      const progress = (now: ExportProgress): void => {
        rows = now.done;
        bar.show(now);
      };
      // Beside the file, so that it is there whole or not at all.
      const temporary = `${out}.${randomBytes(6).toString('hex')}.part`;
      try {
        const request = { organizationId: organization.id, type, fileFormat, contentModels };
        await interruptible(async (signal) => {
          const archive = await exportLibrary(orm.em, request, { signal, progress });
          await pipeline(archive, createWriteStream(temporary, { flush: true }));
        });
        await rename(temporary, out);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      } finally {
        bar.end();
      }
      return { file: out, bytes: (await stat(out)).size, rows, organization: organization.id };
    },
  },
];
