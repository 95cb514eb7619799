import {
  BrokenCatalog,
  type Catalog,
  checkFilled,
  checkUnique,
  type FrameworkEntry,
  type Stated,
  versionOf,
} from './catalog.js';
import { type Node, parseJson } from './json-document.js';

const LICENCES = {
  capec: 'CAPEC Terms of Use (The MITRE Corporation)',
  attack: 'ATT&CK Terms of Use (The MITRE Corporation)',
  emb3d: 'EMB3D Terms of Use (The MITRE Corporation)',
} as const;

/** The objects of a STIX 2.x bundle that are not revoked or deprecated. Throws `BrokenCatalog`. */
function objectsOf(text: string): Node[] {
  const bundle = parseJson(text);
  if (bundle.at('type').value !== 'bundle')
    throw new BrokenCatalog('The file is not a STIX bundle: $.type is not "bundle".');
  return bundle
    .at('objects')
    .list()
    .filter((object) => object.at('revoked').value !== true && object.at('x_mitre_deprecated').value !== true);
}

const typed = (objects: readonly Node[], ...types: readonly string[]): Node[] =>
  objects.filter((object) => types.includes(String(object.at('type').value)));

/** External references of an object to one source, such as `CAPEC-226` in `capec`. */
const referencesTo = (object: Node, source: RegExp): Node[] =>
  object
    .at('external_references')
    .list()
    .filter(
      (reference) => source.test(String(reference.at('source_name').value)) && !reference.at('external_id').missing,
    );

/** The day of the latest modification: the version of a bundle that states none. */
const latestChange = (objects: readonly Node[]): string | undefined =>
  objects
    .map((object) => (object.at('modified').textIfGiven() ?? '').slice(0, 10))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .toSorted()
    .at(-1);

/** The latest value of a property. */
const latest = (objects: readonly Node[], property: string): string | undefined =>
  objects
    .flatMap((object) => object.at(property).textIfGiven() ?? [])
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);

/**
 * Parses CAPEC in STIX 2.1.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it is not such a bundle
 */
export function readCapec(text: string, stated: Stated): Catalog {
  const patterns = typed(objectsOf(text), 'attack-pattern').filter(
    (pattern) => !['Deprecated', 'Obsolete'].includes(String(pattern.at('x_capec_status').value)),
  );
  const capecs = patterns.flatMap((pattern) => {
    const [reference] = referencesTo(pattern, /^capec$/);
    if (!reference) return [];
    return {
      id: reference.at('external_id').number('CAPEC-'),
      title: pattern.at('name').text(),
      abstraction: pattern.at('x_capec_abstraction').text(),
      likelihood: pattern.at('x_capec_likelihood_of_attack').textIfGiven() ?? null,
      severity: pattern.at('x_capec_typical_severity').textIfGiven() ?? null,
      cwes: referencesTo(pattern, /^cwe$/i)
        .map((cwe) => cwe.at('external_id').number('CWE-'))
        .toSorted((a, b) => a - b),
    };
  });
  checkFilled('CAPECs', capecs);
  checkUnique(
    'CAPEC',
    capecs.map(({ id }) => id),
  );
  const version = latest(patterns, 'x_capec_version') ?? latestChange(patterns);
  return {
    kind: 'capec',
    source: { name: 'CAPEC', version: versionOf(stated, version), licence: stated.licence ?? LICENCES.capec },
    capecs: capecs.toSorted((a, b) => a.id - b.id),
  };
}

interface FrameworkShape {
  readonly kind: 'attack' | 'emb3d';
  readonly name: string;
  readonly framework: string;
  readonly types: readonly string[];
  readonly reference: RegExp;
  readonly id: RegExp;
  readonly page: (id: string) => string;
}

function readFramework(text: string, stated: Stated, shape: FrameworkShape): Catalog {
  const objects = objectsOf(text);
  const entryObjects = typed(objects, ...shape.types);
  const entries: FrameworkEntry[] = entryObjects.flatMap((object) => {
    const [reference] = referencesTo(object, shape.reference);
    const id = reference?.at('external_id').text();
    if (!reference || !id || !shape.id.test(id)) return [];
    const url = reference.at('url').textIfGiven(2000);
    return { id, name: object.at('name').text(), url: url?.startsWith('https://') ? url : shape.page(id) };
  });
  checkFilled(`entries of ${shape.name}`, entries);
  checkUnique(
    shape.name,
    entries.map(({ id }) => id),
  );
  const collections = typed(objects, 'x-mitre-collection');
  const version = latest(collections, 'x_mitre_version') ?? latestChange(entryObjects);
  return {
    kind: shape.kind,
    framework: shape.framework,
    source: { name: shape.name, version: versionOf(stated, version), licence: stated.licence ?? LICENCES[shape.kind] },
    entries: entries.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true })),
  };
}

/**
 * Parses a MITRE ATT&CK matrix (Enterprise, Mobile or ICS) in STIX: its tactics and techniques.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it is not such a bundle
 */
export const readAttack = (text: string, stated: Stated): Catalog =>
  readFramework(text, stated, {
    kind: 'attack',
    name: 'MITRE ATT&CK',
    framework: 'mitre-attack',
    types: ['x-mitre-tactic', 'attack-pattern'],
    reference: /^mitre-(?:ics-|mobile-)?attack$/,
    id: /^TA?\d{4}(?:\.\d{3})?$/,
    page: (id) => `https://attack.mitre.org/${id.startsWith('TA') ? 'tactics' : 'techniques'}/${id.replace('.', '/')}/`,
  });

/**
 * Parses the threats of MITRE EMB3D in STIX.
 *
 * @param text the whole file
 * @throws BrokenCatalog if it is not such a bundle
 */
export const readEmb3d = (text: string, stated: Stated): Catalog =>
  readFramework(text, stated, {
    kind: 'emb3d',
    name: 'MITRE EMB3D',
    framework: 'mitre-emb3d',
    types: ['vulnerability'],
    reference: /emb3d/i,
    id: /^TID-\d{3}$/,
    page: (id) => `https://emb3d.mitre.org/threats/${id}.html`,
  });
