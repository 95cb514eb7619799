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
  readonly entries: readonly { readonly id: string; readonly name: string; readonly url: string }[];
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

/** Additional files of a framework: ATT&CK is published by domain, with distinct ids. */
const FURTHER_ENTRIES: Readonly<Record<string, string>> = { 'mitre-attack.json': 'mitre-attack-ics.json' };

/** A digest of the contents of all tables. */
export async function referenceVersion(): Promise<string> {
  const files = [CWES, LUCIDE, CAPECS, ...FRAMEWORKS, ...Object.values(FURTHER_ENTRIES)];
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
  const { entries, ...framework } = JSON.parse(await textOf(file)) as Omit<ThreatFramework, 'entries'> & {
    entries: readonly EntryRow[];
  };
  const further = FURTHER_ENTRIES[file];
  const rows = [...entries, ...(further === undefined ? [] : await rowsOf<EntryRow>(further))];
  return { ...framework, entries: rows.map(([id, name, page]) => ({ id, name, url: `${framework.url}${page}` })) };
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
