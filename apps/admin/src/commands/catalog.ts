import path from 'node:path';
import { BrokenCatalog, CATALOG_KINDS } from '#content/catalogs/catalog.js';
import { importCatalog } from '#content/catalogs/import-catalog.js';
import { readCatalog } from '#content/catalogs/read-catalog.js';
import { type Command, CommandError } from '../command.js';
import { withProgressBar } from '../with-progress.js';
import { choice, LONGEST_PATH, LONGEST_WORD, organizationOf } from './choose.js';

/** Catalogs that are imported as a regulation of one organization; the others are shared by all organizations. */
const ORGANIZATION_CATALOGS: ReadonlySet<string> = new Set(['asvs', 'oscal']);

/** Reports a malformed file as a `CommandError`. */
async function reportingFileErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BrokenCatalog) throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}

export const catalogCommands: readonly Command[] = [
  {
    name: 'library import-catalog',
    about:
      'imports a public catalog: CWE (XML or JSON), CAPEC, ATT&CK and EMB3D (STIX), OWASP ASVS (flat JSON), OSCAL ' +
      '(JSON)',
    arguments: [
      { name: 'kind', about: CATALOG_KINDS.join(', ') },
      { name: 'file', about: 'the unchanged file of the publisher', isRead: true },
    ],
    options: {
      organization: {
        type: 'string',
        about: 'organization for the regulation from ASVS or OSCAL; optional if there is only one',
      },
      version: { type: 'string', about: 'version, if the file does not state it' },
      licence: { type: 'string', about: 'licence, if it is not the usual one' },
    },
    run: async ({ orm }, options) => {
      const kind = choice('kind', CATALOG_KINDS, options.required('kind', LONGEST_WORD));
      const file = path.resolve(options.required('file', LONGEST_PATH));
      const version = options.text('version', LONGEST_WORD);
      const licence = options.text('licence', LONGEST_WORD);
      const organization = ORGANIZATION_CATALOGS.has(kind) ? await organizationOf(orm.em.fork(), options) : undefined;
      const overrides = { ...(version !== undefined && { version }), ...(licence !== undefined && { licence }) };

      return withProgressBar(async (bar) => {
        const catalog = await reportingFileErrors(file, () => readCatalog(kind, file, overrides));
        bar.show({ done: 0, total: 1 });
        const imported = await importCatalog(orm.em, catalog, organization?.id);
        bar.show({ done: imported.entries, total: imported.entries });
        return { file, ...imported, ...(organization && { organization: organization.id }) };
      });
    },
  },
];
