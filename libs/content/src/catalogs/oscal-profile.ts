import { BrokenCatalog } from './catalog.js';
import type { Node } from './json-document.js';

/** What drafts of OSCAL 1.0 called the selections. To ignore them would select all controls. */
const DRAFT_SELECTIONS = ['include', 'exclude'];

const idOf = (control: Node): string => control.at('id').text();

/** The ids that a list of selections names; with `with-child-controls`, also those of all controls below. */
function idsIn(selections: Node, controlsById: ReadonlyMap<string, Node>): Set<string> {
  const ids = new Set<string>();
  const addBelow = (control: Node): void => {
    for (const child of control.at('controls').list()) {
      ids.add(idOf(child));
      addBelow(child);
    }
  };
  for (const selection of selections.list()) {
    if (!selection.at('matching').missing)
      throw new BrokenCatalog(`${selection.path}.matching selects controls by pattern, which is not supported.`);
    for (const entry of selection.at('with-ids').list()) {
      const id = entry.text();
      const control = controlsById.get(id);
      if (!control) throw new BrokenCatalog(`${entry.path}: the catalog does not contain the control "${id}".`);
      ids.add(id);
      if (selection.at('with-child-controls').value === 'yes') addBelow(control);
    }
  }
  return ids;
}

/**
 * The controls that an OSCAL profile selects, in the order of the catalog. Its changes of parameters and texts do not
 * matter here, because a section has only a code and a title.
 *
 * @param profile the profile, which must select controls of one catalog
 * @param controls all controls of that catalog
 * @throws BrokenCatalog if it selects controls of several files, by pattern, or that the catalog does not contain
 */
export function selectedControls(profile: Node, controls: readonly Node[]): Node[] {
  const imports = profile.at('imports').list();
  const sources = new Set(imports.map((entry) => entry.at('href').text(2000)));
  if (sources.size > 1)
    throw new BrokenCatalog(`The profile selects controls of ${sources.size} files; only one is supported.`);
  const controlsById = new Map(controls.map((control) => [idOf(control), control]));
  const selected = new Set<string>();
  for (const entry of imports) {
    for (const name of DRAFT_SELECTIONS)
      if (!entry.at(name).missing)
        throw new BrokenCatalog(`${entry.path}.${name} is of a draft of OSCAL 1.0, which is not supported.`);
    const included = entry.at('include-controls').missing
      ? new Set(controlsById.keys())
      : idsIn(entry.at('include-controls'), controlsById);
    const excluded = idsIn(entry.at('exclude-controls'), controlsById);
    for (const id of included.difference(excluded)) selected.add(id);
  }
  return controls.filter((control) => selected.has(idOf(control)));
}
