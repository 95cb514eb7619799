import { MAX_TEXT_LENGTH } from '#domain/kernel/fields/field-checks.js';
import type { EditionSection } from '#domain/library/regulation/regulation-edition.commands.js';
import { BrokenCatalog, type Catalog, checkFilled, checkUnique, type Stated, titleOf, versionOf } from './catalog.js';
import { type Node, parseJson } from './json-document.js';
import { selectedControls } from './oscal-profile.js';

/** The labels of controls are short; some publishers add the complete title. */
const MAX_CODE_LENGTH = 50;

/** The models of OSCAL that are neither a catalog nor a profile. */
const OTHER_MODELS = [
  'component-definition',
  'system-security-plan',
  'assessment-plan',
  'assessment-results',
  'plan-of-action-and-milestones',
  'mapping-collection',
];

const propertyOf = (control: Node, name: string): Node | undefined =>
  control
    .at('props')
    .list()
    .find((property) => property.at('name').value === name && property.at('class').missing)
    ?.at('value');

/**
 * The label of a control, such as `AC-2(1)`; or what follows its title in: `Account Management (03.01.01)`.
 * If there is no short label, its id.
 */
function codeOf(control: Node): string {
  const id = control.at('id').text(MAX_CODE_LENGTH);
  const label = propertyOf(control, 'label')?.text();
  if (label === undefined || label.endsWith(`(${id})`)) return id;
  const start = `${control.at('title').text(MAX_TEXT_LENGTH)} (`;
  const code = label.startsWith(start) && label.endsWith(')') ? label.slice(start.length, -1) : label;
  return code.length > MAX_CODE_LENGTH || code === '' ? id : code;
}

/** The statement of a control, with a mark for each value that an organization inserts. */
const statementOf = (control: Node): string | undefined =>
  control
    .at('parts')
    .list()
    .find((part) => part.at('name').value === 'statement')
    ?.at('prose')
    .textIfGiven(MAX_TEXT_LENGTH)
    ?.replaceAll(/\{\{[^{}]*\}\}/g, '[…]');

/** The section of a control. If its title only repeats its id, the title is its statement. */
function sectionOf(control: Node): EditionSection {
  const code = codeOf(control);
  const title = control.at('title').text(MAX_TEXT_LENGTH);
  const repeats = [code, control.at('id').value].includes(title);
  return { code, title: titleOf((repeats ? statementOf(control) : undefined) ?? title), level: null };
}

const isWithdrawn = (control: Node): boolean => /^withdrawn$/i.test(String(propertyOf(control, 'status')?.value));

/** The controls of a group or control, followed by their enhancements. OSCAL also allows groups of groups. */
const controlsBelow = (parent: Node): Node[] => [
  ...parent.at('groups').list().flatMap(controlsBelow),
  ...parent
    .at('controls')
    .list()
    .flatMap((control) => [control, ...controlsBelow(control)]),
];

/** The root of a document, which is a catalog or a profile. Throws `BrokenCatalog` for other files. */
function rootOf(document: Node): { readonly model: 'catalog' | 'profile'; readonly root: Node } {
  for (const model of ['catalog', 'profile'] as const)
    if (!document.at(model).missing) return { model, root: document.at(model) };
  const other = OTHER_MODELS.find((model) => !document.at(model).missing);
  throw new BrokenCatalog(
    other === undefined
      ? 'The file is not an OSCAL catalog: $.catalog is not an object.'
      : `The file is an OSCAL ${other}, not a catalog or a profile.`,
  );
}

/** The controls of a catalog, or those that a profile selects of the catalog in `source`. */
function controlsOf(text: string, source: string | undefined): { readonly root: Node; readonly controls: Node[] } {
  const { model, root } = rootOf(parseJson(text));
  if (model === 'catalog') {
    if (source !== undefined) throw new BrokenCatalog('The file is a catalog, which needs no other catalog.');
    return { root, controls: controlsBelow(root) };
  }
  if (source === undefined)
    throw new BrokenCatalog(
      'The file is an OSCAL profile, which selects controls of a catalog: specify that file with --catalog.',
    );
  return { root, controls: selectedControls(root, sourceControls(source)) };
}

/** All controls of the catalog that a profile selects from. Throws `BrokenCatalog`. */
function sourceControls(source: string): Node[] {
  try {
    const { model, root } = rootOf(parseJson(source));
    if (model !== 'catalog') throw new BrokenCatalog('The file is a profile too, not a catalog.');
    return controlsBelow(root);
  } catch (error) {
    if (error instanceof BrokenCatalog) throw new BrokenCatalog(`--catalog: ${error.message}`);
    throw error;
  }
}

/**
 * Parses an OSCAL catalog in JSON, or a profile with its catalog: each control and enhancement becomes a section of one
 * regulation. Withdrawn controls are left out.
 *
 * @param text the whole file
 * @param source the catalog that a profile selects controls of
 * @throws BrokenCatalog if it has another format
 */
export function readOscal(text: string, stated: Stated, source?: string): Catalog {
  const { root, controls } = controlsOf(text, source);
  const metadata = root.at('metadata');
  const sections = controls.filter((control) => !isWithdrawn(control)).map(sectionOf);
  checkFilled('controls', sections);
  checkUnique(
    'Control',
    sections.map(({ code }) => code),
  );
  const name = titleOf(metadata.at('title').text(MAX_TEXT_LENGTH));
  const ofNist = metadata
    .at('parties')
    .list()
    .some(
      (party) =>
        /NIST|National Institute of Standards/i.test(String(party.at('name').value)) ||
        /@nist\.gov/i.test(JSON.stringify(party.at('email-addresses').value ?? '')),
    );
  return {
    kind: 'oscal',
    source: {
      name,
      version: versionOf(stated, metadata.at('version').textIfGiven()),
      licence: stated.licence ?? (ofNist ? 'Public domain (NIST)' : 'Not stated in the file'),
    },
    regulation: { name, url: 'https://pages.nist.gov/OSCAL/' },
    sections,
  };
}
