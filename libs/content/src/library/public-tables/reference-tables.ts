import { createHash } from 'node:crypto';
import { type Icon, LUCIDE, readComponentIcons } from './component-icons.js';
import { type Cwe, CWES, readCweTable } from './cwe-table.js';
import { rowsOf, textOf } from './reference-file.js';

/** An attack pattern of the Common Attack Pattern Enumeration and Classification. */
export interface Capec {
  readonly id: number;
  readonly title: string;
  readonly abstraction: string;
  readonly likelihood: string | null;
  readonly severity: string | null;
  readonly cwes: readonly number[];
}

/** A framework of threats, with its entries in their order. */
export interface ThreatFramework {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly entries: readonly {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    /** The part of the framework that is published separately; empty without parts. */
    readonly domain: string;
  }[];
}

/** The public tables that the library refers to, and the set of icons. */
export interface ReferenceTables {
  readonly cwes: readonly Cwe[];
  readonly capecs: readonly Capec[];
  readonly frameworks: readonly ThreatFramework[];
  readonly icons: readonly Icon[];
}

/** An entry in a framework's file: id, name, and the page relative to the framework's address. */
type EntryRow = readonly [id: string, name: string, page: string];

type CapecRow = readonly [
  id: number,
  title: string,
  abstraction: string,
  likelihood: string | null,
  severity: string | null,
  cwes: readonly number[],
];

const CAPECS = 'capecs.json';
const FRAMEWORKS = ['stride.json', 'mitre-emb3d.json', 'maestro.json', 'mitre-attack.json', 'mitre-atlas.json'];

/** Frameworks that are published by domain, with distinct ids: the domain of each file. */
const FILES_BY_DOMAIN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mitre-attack.json': { 'mitre-attack.json': 'Enterprise', 'mitre-attack-ics.json': 'ICS' },
};

/** The files with entries of a framework, and their domains. */
const filesOf = (file: string): [string, string][] => Object.entries(FILES_BY_DOMAIN[file] ?? { [file]: '' });

/** A digest of the contents of all tables. */
export async function referenceVersion(): Promise<string> {
  const files = [CWES, LUCIDE, CAPECS, ...FRAMEWORKS.flatMap((file) => filesOf(file).map(([name]) => name))];
  const texts = await Promise.all(files.map(textOf));
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

async function readCapecs(): Promise<Capec[]> {
  const rows = await rowsOf<CapecRow>(CAPECS);
  return rows.map(([id, title, abstraction, likelihood, severity, cwes]) => ({
    id,
    title,
    abstraction,
    likelihood,
    severity,
    cwes,
  }));
}

async function readFramework(file: string): Promise<ThreatFramework> {
  const { entries: _entries, ...framework } = JSON.parse(await textOf(file)) as ThreatFramework;
  const lists = await Promise.all(
    filesOf(file).map(async ([name, domain]) =>
      (await rowsOf<EntryRow>(name)).map(([id, title, page]) => ({
        id,
        name: title,
        url: `${framework.url}${page}`,
        domain,
      })),
    ),
  );
  return { ...framework, entries: lists.flat() };
}

/** Reads all tables. */
export async function readReferenceTables(): Promise<ReferenceTables> {
  const [cwes, capecs, frameworks, icons] = await Promise.all([
    readCweTable(),
    readCapecs(),
    Promise.all(FRAMEWORKS.map(readFramework)),
    readComponentIcons(),
  ]);
  return { cwes, capecs, frameworks, icons };
}
