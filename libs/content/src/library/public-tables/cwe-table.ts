import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** One weakness of the Common Weakness Enumeration. */
export interface Cwe {
  readonly id: number;
  readonly title: string;
  readonly abstraction: string;
  readonly status: string;
  /** The CWEs that it is a special case of. */
  readonly parents: readonly number[];
}

/** Weaknesses of CWE 4.16 to 4.18, as MITRE publishes them: `cwe-sdk` 1.1.19 carries CWE 4.15. */
const SUPPLEMENT: readonly Cwe[] = [
  {
    id: 1427,
    title: 'Improper Neutralization of Input Used for LLM Prompting',
    abstraction: 'Base',
    status: 'Incomplete',
    parents: [77],
  },
  { id: 1428, title: 'Reliance on HTTP instead of HTTPS', abstraction: 'Base', status: 'Incomplete', parents: [319] },
  {
    id: 1429,
    title: 'Missing Security-Relevant Feedback for Unexecuted Operations in Hardware Interface',
    abstraction: 'Base',
    status: 'Incomplete',
    parents: [223],
  },
  {
    id: 1431,
    title: 'Driving Intermediate Cryptographic State/Results to Hardware Module Outputs',
    abstraction: 'Base',
    status: 'Incomplete',
    parents: [200],
  },
  {
    id: 1434,
    title: 'Insecure Setting of Generative AI/ML Model Inference Parameters',
    abstraction: 'Base',
    status: 'Draft',
    parents: [],
  },
];

const require = createRequire(import.meta.url);

/** What the table is known by, without reading its 8 MB. */
export async function cweTableVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(require.resolve('cwe-sdk/package.json'), 'utf8')) as {
    version: string;
  };
  return JSON.stringify([version, SUPPLEMENT]);
}

type Attribute = '@_ID' | '@_Name' | '@_Abstraction' | '@_Status';

interface Related {
  readonly attr: Readonly<Partial<Record<'@_Nature' | '@_CWE_ID' | '@_View_ID', string>>>;
}

interface Entry {
  readonly attr?: Readonly<Partial<Record<Attribute, string>>>;
  readonly Related_Weaknesses?: { readonly Related_Weakness: Related | readonly Related[] };
}

/** What MITRE says of a CWE and another one, in one of its views. */
export interface CweRelation {
  readonly nature: string | undefined;
  readonly cwe: number;
  readonly view: string | undefined;
}

/** The view "Research Concepts", by which every entry has its place. */
const RESEARCH_CONCEPTS = '1000';

/** The CWEs that one is a special case of, by its relations. */
export function parentsOf(relations: readonly CweRelation[]): number[] {
  const parents = relations.filter(({ nature, view }) => nature === 'ChildOf' && view === RESEARCH_CONCEPTS);
  return [...new Set(parents.map(({ cwe }) => cwe))].sort((a, b) => a - b);
}

const relationsOf = ({ Related_Weaknesses: related }: Entry): CweRelation[] =>
  [related?.Related_Weakness ?? []].flat().map(({ attr }) => ({
    nature: attr['@_Nature'],
    cwe: Number(attr['@_CWE_ID']),
    view: attr['@_View_ID'],
  }));

/**
 * Reads the whole public table, deprecated entries too, by number. The package's own entry point isn't used: it would
 * keep all of its 18 MB in memory.
 *
 * @throws Error where the package has another form than expected
 */
export async function readCweTable(): Promise<Cwe[]> {
  const text = await readFile(require.resolve('cwe-sdk/raw/cwe-dictionary.json'), 'utf8');
  const dictionary = JSON.parse(text) as Record<string, Entry>;
  const table = new Map(SUPPLEMENT.map((cwe) => [cwe.id, cwe]));
  for (const entry of Object.values(dictionary)) {
    const { '@_ID': id, '@_Name': title, '@_Abstraction': abstraction, '@_Status': status } = entry.attr ?? {};
    if (!id || !title || !abstraction || !status) throw new Error('The table of CWEs in cwe-sdk has an unknown form.');
    table.set(Number(id), { id: Number(id), title, abstraction, status, parents: parentsOf(relationsOf(entry)) });
  }
  return [...table.values()].sort((a, b) => a.id - b.id);
}
