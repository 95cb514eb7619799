import { Composer, CST, Lexer, Parser } from 'yaml';
import { LIMITS } from '../limits.js';
import type { Refusal } from '../reader-thread.js';

/** Documents to be read, the first of which is this row of its file. */
export interface YamlQuestion {
  readonly texts: readonly string[];
  readonly row: number | null;
}

/** The value of each document. */
export interface YamlValues {
  readonly values: unknown[];
}

/** What content needs none of, and makes a file mean something else than it shows. */
const REFUSED: ReadonlyMap<string | null, string> = new Map([
  ['alias', 'Aliases'],
  ['anchor', 'Anchors'],
  ['tag', 'Tags'],
]);

/** A reason why a document is refused. */
class Refused extends Error {}

const TOO_DEEP = `A value is nested deeper than ${LIMITS.depth} levels.`;

/** Reads documents, or tells why the first one that is refused is. */
export function readDocuments({ texts, row }: YamlQuestion): YamlValues | Refusal {
  const values: unknown[] = [];
  try {
    for (const text of texts) values.push(readDocument(text));
    return { values };
  } catch (error) {
    if (!(error instanceof Refused || error instanceof RangeError)) throw error;
    return {
      problem: error instanceof Refused ? error.message : TOO_DEEP,
      ...(row !== null && { row: row + values.length }),
    };
  }
}

/** Reads one document. What it must not have is found as early as possible: the later steps cost far more. */
function readDocument(text: string): unknown {
  const tokens = tokensOf(text);
  checkCollections(tokens);
  return valueOf(tokens, text.length);
}

/** The syntax tree of a text. */
function tokensOf(text: string): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  let isScalar = false;
  for (const word of new Lexer().lex(text)) {
    count += 1;
    // A scalar stands behind a sign of its own; what it begins with means nothing.
    const refused = isScalar ? undefined : REFUSED.get(CST.tokenType(word));
    if (refused !== undefined) throw new Refused(`${refused} are not allowed in YAML.`);
    isScalar = word === CST.SCALAR;
    if (count > LIMITS.yamlWords)
      throw new Refused(
        `The YAML has more than ${LIMITS.yamlWords} names, values and signs in one row, or in a file whose rows ` +
          'are no list of lines that begin with "- ".',
      );
    tokens.push(...parser.next(word));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Refuses deep nesting, and mappings of many keys: each key is compared with all the others of its mapping. */
function checkCollections(tokens: readonly CST.Token[]): void {
  let level: (CST.Token | null | undefined)[] = tokens.map((token) => (token.type === 'document' ? token.value : null));
  for (let depth = 0; level.length; depth += 1) {
    if (depth > LIMITS.depth + 3) throw new Refused(TOO_DEEP);
    const below: typeof level = [];
    for (const token of level) {
      if (token?.type !== 'block-map' && token?.type !== 'block-seq' && token?.type !== 'flow-collection') continue;
      if (token.type !== 'block-seq' && token.items.length > LIMITS.yamlKeys && token.items.some(({ sep }) => sep))
        throw new Refused(`A mapping has more than ${LIMITS.yamlKeys} keys.`);
      for (const { key, value } of token.items) below.push(key, value);
    }
    level = below;
  }
}

function valueOf(tokens: Iterable<CST.Token>, length: number): unknown {
  const composer = new Composer({ prettyErrors: false, stringKeys: true, logLevel: 'error' });
  const [document, second] = [...composer.compose(tokens, true, length)];
  if (!document) throw new Error('Every text is a document.');
  const [error] = document.errors;
  if (error) throw new Refused(`This is no YAML: ${error.message.slice(0, 200)}`);
  if (second) throw new Refused('This is no YAML: it has several documents.');
  return document.toJS({ maxAliasCount: 0 });
}
