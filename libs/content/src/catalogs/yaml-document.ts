import { parse, YAMLError } from 'yaml';
import { BrokenCatalog } from './catalog.js';
import { Node } from './json-document.js';

/** Parses a YAML document. Throws `BrokenCatalog`; also if its aliases would multiply it (`ReferenceError`). */
export function parseYaml(text: string): Node {
  try {
    return new Node(parse(text, { logLevel: 'error' }), '$');
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError)
      throw new BrokenCatalog(`The file is not valid YAML: ${error.message.split('\n', 1)[0] ?? ''}`);
    throw error;
  }
}
