import {
  BrokenCatalog,
  type Catalog,
  checkFilled,
  type FrameworkEntry,
  type FrameworkKind,
  type Stated,
  versionOf,
} from './catalog.js';
import type { Node } from './json-document.js';
import { latest, latestChange, objectsOf, referencesTo, typed } from './read-stix.js';
import { parseYaml } from './text-documents.js';

/** A framework of threats, and where a STIX bundle has its entries. */
interface FrameworkShape {
  readonly kind: FrameworkKind;
  readonly name: string;
  readonly framework: string;
  readonly licence: string;
  readonly types: readonly string[];
  readonly reference: RegExp;
  readonly id: RegExp;
  readonly page: (id: string) => string;
}

const ATTACK: FrameworkShape = {
  kind: 'attack',
  name: 'MITRE ATT&CK',
  framework: 'mitre-attack',
  licence: 'ATT&CK Terms of Use (The MITRE Corporation)',
  types: ['x-mitre-tactic', 'attack-pattern'],
  reference: /^mitre-(?:ics-|mobile-)?attack$/,
  id: /^TA?\d{4}(?:\.\d{3})?$/,
  page: (id) => `https://attack.mitre.org/${id.startsWith('TA') ? 'tactics' : 'techniques'}/${id.replace('.', '/')}/`,
};

const EMB3D: FrameworkShape = {
  kind: 'emb3d',
  name: 'MITRE EMB3D',
  framework: 'mitre-emb3d',
  licence: 'EMB3D Terms of Use (The MITRE Corporation)',
  types: ['vulnerability'],
  reference: /emb3d/i,
  id: /^TID-\d{3}$/,
  page: (id) => `https://emb3d.mitre.org/threats/${id}.html`,
};

const ATLAS: FrameworkShape = {
  kind: 'atlas',
  name: 'MITRE ATLAS',
  framework: 'mitre-atlas',
  licence: 'Apache License 2.0 (The MITRE Corporation)',
  types: ['x-mitre-tactic', 'attack-pattern'],
  reference: /^mitre-atlas$/,
  id: /^AML\.TA?\d{4}(?:\.\d{3})?$/,
  page: (id) => `https://atlas.mitre.org/${id.startsWith('AML.TA') ? 'tactics' : 'techniques'}/${id}`,
};

interface Found extends FrameworkEntry {
  /** What the file calls the object, for errors. */
  readonly object: string;
}

function catalogOf(
  { kind, name, framework, licence }: FrameworkShape,
  found: readonly Found[],
  stated: Stated,
  version: string | undefined,
  domain = '',
): Catalog {
  checkFilled(`entries of ${name}`, found);
  const objects = new Map<string, string>();
  for (const { id, object } of found) {
    const other = objects.get(id);
    if (other !== undefined) throw new BrokenCatalog(`${name} ${id} is the id of two objects: ${other} and ${object}.`);
    objects.set(id, object);
  }
  return {
    kind,
    framework,
    domain,
    source: {
      name: domain === '' ? name : `${name} ${domain}`,
      version: versionOf(stated, version),
      licence: stated.licence ?? licence,
    },
    entries: found
      .map(({ id, name: title, url }) => ({ id, name: title, url }))
      .toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true })),
  };
}

function readStix(text: string, stated: Stated, shape: FrameworkShape, domainOf = (_entries: readonly Node[]) => '') {
  const objects = objectsOf(text);
  const entryObjects = typed(objects, ...shape.types);
  const found = entryObjects.flatMap((object) => {
    const [reference] = referencesTo(object, shape.reference);
    const id = reference?.at('external_id').text();
    if (!reference || !id || !shape.id.test(id)) return [];
    const url = reference.at('url').textIfGiven(2000);
    return {
      id,
      name: object.at('name').text(),
      url: url?.startsWith('https://') ? url : shape.page(id),
      object: object.at('id').missing ? object.path : object.at('id').text(),
    };
  });
  const collections = typed(objects, 'x-mitre-collection');
  const version = latest(collections, 'x_mitre_version') ?? latestChange(entryObjects);
  return catalogOf(shape, found, stated, version, domainOf(entryObjects));
}

/** The domains of ATT&CK by the kill chain of their techniques. Each is published in a file of its own. */
const ATTACK_DOMAINS: Readonly<Record<string, string>> = {
  'mitre-attack': 'Enterprise',
  'mitre-mobile-attack': 'Mobile',
  'mitre-ics-attack': 'ICS',
};

/** The domain that most techniques of a bundle belong to: a few also belong to a second one. */
function attackDomain(entries: readonly Node[]): string {
  const counts = new Map<string, number>();
  for (const entry of entries)
    for (const phase of entry.at('kill_chain_phases').list()) {
      const domain = ATTACK_DOMAINS[String(phase.at('kill_chain_name').value)];
      if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
  const [[domain] = ['Enterprise']] = [...counts].toSorted(([, a], [, b]) => b - a);
  return domain;
}

/**
 * Parses a MITRE ATT&CK matrix (Enterprise, Mobile or ICS) in STIX: its tactics and techniques.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it is not such a bundle
 */
export const readAttack = (text: string, stated: Stated): Catalog => readStix(text, stated, ATTACK, attackDomain);

/**
 * Parses the threats of MITRE EMB3D in STIX.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it is not such a bundle
 */
export const readEmb3d = (text: string, stated: Stated): Catalog => readStix(text, stated, EMB3D);

/** Parses `ATLAS.yaml`: a list of matrices, each with tactics and techniques. */
function readAtlasYaml(text: string, stated: Stated): Catalog {
  const document = parseYaml(text);
  const objects = document
    .at('matrices')
    .list()
    .flatMap((matrix) => [...matrix.at('tactics').list(), ...matrix.at('techniques').list()]);
  const found = objects.flatMap((object) => {
    const id = object.at('id').text();
    return ATLAS.id.test(id) ? { id, name: object.at('name').text(), url: ATLAS.page(id), object: object.path } : [];
  });
  return catalogOf(ATLAS, found, stated, document.at('version').textIfGiven());
}

/**
 * Parses MITRE ATLAS, as YAML or in STIX: its tactics and techniques.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it has neither format
 */
export const readAtlas = (text: string, stated: Stated): Catalog =>
  text.trimStart().startsWith('{') ? readStix(text, stated, ATLAS) : readAtlasYaml(text, stated);
