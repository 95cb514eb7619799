import path from 'node:path';
import { BrokenCatalog, CATALOG_KINDS } from '#content/catalogs/catalog.js';
import { importCatalog, type ImportOptions } from '#content/catalogs/import-catalog.js';
import { readCatalog, readSectionPairs } from '#content/catalogs/read-catalog.js';
import { type Command, CommandError, type Options } from '../command.js';
import { withProgressBar } from '../with-progress.js';
import { choice, MAX_PATH_LENGTH, MAX_WORD_LENGTH, organizationOf } from './choose.js';

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

/** The file that an option names; undefined without the option. */
function fileOf(options: Options, name: string): string | undefined {
  const file = options.text(name, MAX_PATH_LENGTH);
  return file === undefined ? undefined : path.resolve(file);
}

/** Throws `CommandError` if an option is given that is only for other kinds of catalogs. */
function assertUnused(options: Options, name: string, purpose: string): void {
  if (options.text(name, MAX_PATH_LENGTH) !== undefined) throw new CommandError(`--${name} is only for ${purpose}.`);
}

/** The edition whose mappings are taken over, with the table of its sections; undefined without the option. */
async function mappingsOf(options: Options): Promise<ImportOptions['mappingsFrom']> {
  const regulation = options.text('mappings-from', MAX_WORD_LENGTH);
  const table = fileOf(options, 'mappings-table');
  if (regulation === undefined) {
    if (table !== undefined) throw new CommandError('--mappings-table requires --mappings-from.');
    return undefined;
  }
  const pairs = table === undefined ? undefined : await reportingFileErrors(table, () => readSectionPairs(table));
  return { regulation, pairs };
}

export const catalogCommands: readonly Command[] = [
  {
    name: 'library import-catalog',
    about:
      'imports a public catalog: CWE (XML or JSON), CAPEC, ATT&CK and EMB3D (STIX), ATLAS (YAML or STIX), OWASP ASVS ' +
      '(JSON, CSV or CycloneDX), OSCAL catalogs and profiles (JSON)',
    arguments: [
      { name: 'kind', about: CATALOG_KINDS.join(', ') },
      { name: 'file', about: 'the unchanged file of the publisher', isRead: true },
    ],
    options: {
      organization: {
        type: 'string',
        about: 'organization for the regulation from ASVS or OSCAL; optional if there is only one',
      },
      'dry-run': { type: 'boolean', about: 'shows what would change, and changes nothing' },
      'mappings-from': {
        type: 'string',
        about: 'id of the regulation whose countermeasures the new edition takes over, for sections with the same text',
      },
      'mappings-table': {
        type: 'string',
        about:
          'file with the sections that take the place of those in --mappings-from: CSV (old,new), or a table of OWASP',
      },
      catalog: { type: 'string', about: 'file with the catalog that an OSCAL profile selects controls of' },
      version: { type: 'string', about: 'version, if the file does not state it' },
      licence: { type: 'string', about: 'licence, if it is not the usual one' },
    },
    run: async ({ orm }, options) => {
      const kind = choice('kind', CATALOG_KINDS, options.required('kind', MAX_WORD_LENGTH));
      const file = path.resolve(options.required('file', MAX_PATH_LENGTH));
      const version = options.text('version', MAX_WORD_LENGTH);
      const licence = options.text('licence', MAX_WORD_LENGTH);
      const isRegulation = ORGANIZATION_CATALOGS.has(kind);
      const organization = isRegulation ? await organizationOf(orm.em.fork(), options) : undefined;
      const overrides = { ...(version !== undefined && { version }), ...(licence !== undefined && { licence }) };
      if (kind !== 'oscal') assertUnused(options, 'catalog', 'OSCAL profiles');
      if (!isRegulation)
        for (const name of ['mappings-from', 'mappings-table'])
          assertUnused(options, name, `regulations: ${[...ORGANIZATION_CATALOGS].join(', ')}`);
      const source = fileOf(options, 'catalog');
      const mappingsFrom = await mappingsOf(options);
      const dryRun = options.flag('dry-run');

      return withProgressBar(async (bar) => {
        const catalog = await reportingFileErrors(file, () => readCatalog(kind, file, overrides, source));
        bar.show({ done: 0, total: 1 });
        const imported = await importCatalog(orm.em, catalog, {
          organization: organization?.id,
          dryRun,
          ...(mappingsFrom && { mappingsFrom }),
        });
        bar.show({ done: imported.entries, total: imported.entries });
        return { file, ...imported, ...(organization && { organization: organization.id }) };
      });
    },
  },
];
