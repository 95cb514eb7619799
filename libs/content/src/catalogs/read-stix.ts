import { BrokenCatalog, type Catalog, checkFilled, checkUnique, type Stated, versionOf } from './catalog.js';
import { type Node, parseJson } from './json-document.js';

const LICENCE = 'CAPEC Terms of Use (The MITRE Corporation)';

/** The latest version of each object: a bundle may contain several, which have the same id. */
function latestVersions(objects: readonly Node[]): Node[] {
  const modifiedAt = (object: Node): string => (object.at('modified').missing ? '' : object.at('modified').text());
  const latestById = new Map<string, Node>();
  for (const object of objects) {
    const id = object.at('id').missing ? object.path : object.at('id').text();
    const present = latestById.get(id);
    if (!present || modifiedAt(object) > modifiedAt(present)) latestById.set(id, object);
  }
  return [...latestById.values()];
}

/** The latest versions of the objects of a STIX 2.x bundle, unless revoked or deprecated. Throws `BrokenCatalog`. */
export function objectsOf(text: string): Node[] {
  const bundle = parseJson(text);
  if (bundle.at('type').value !== 'bundle')
    throw new BrokenCatalog('The file is not a STIX bundle: $.type is not "bundle".');
  return latestVersions(bundle.at('objects').list()).filter(
    (object) => object.at('revoked').value !== true && object.at('x_mitre_deprecated').value !== true,
  );
}

export const typed = (objects: readonly Node[], ...types: readonly string[]): Node[] =>
  objects.filter((object) => types.includes(String(object.at('type').value)));

/** External references of an object to one source, such as `CAPEC-226` in `capec`. */
export const referencesTo = (object: Node, source: RegExp): Node[] =>
  object
    .at('external_references')
    .list()
    .filter(
      (reference) => source.test(String(reference.at('source_name').value)) && !reference.at('external_id').missing,
    );

/** The day of the latest modification: the version of a bundle that states none. */
export const latestChange = (objects: readonly Node[]): string | undefined =>
  objects
    .map((object) => (object.at('modified').textIfGiven() ?? '').slice(0, 10))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .toSorted()
    .at(-1);

/** The latest value of a property. */
export const latest = (objects: readonly Node[], property: string): string | undefined =>
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
    source: { name: 'CAPEC', version: versionOf(stated, version), licence: stated.licence ?? LICENCE },
    capecs: capecs.toSorted((a, b) => a.id - b.id),
  };
}
