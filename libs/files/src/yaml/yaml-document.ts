import { Composer, type CST, isAlias, isNode, Lexer, Parser, visit } from 'yaml';
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
  checkKeys(tokens);
  return valueOf(tokens, text.length);
}

/** The syntax tree of a text. */
function tokensOf(text: string): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const word of new Lexer().lex(text)) {
    count += 1;
    if (count > LIMITS.yamlWords)
      throw new Refused(
        `The YAML has more than ${LIMITS.yamlWords} names, values and signs in one row, or in a file whose rows are no list of lines that begin with "- ".`,
      );
    tokens.push(...parser.next(word));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Refuses mappings of many keys: each key is compared with all the others of its mapping. */
function checkKeys(tokens: readonly CST.Token[]): void {
  const waiting: (CST.Token | null | undefined)[] = [...tokens];
  for (let token = waiting.pop(); token !== undefined || waiting.length; token = waiting.pop()) {
    if (!token) continue;
    if (token.type === 'document') waiting.push(token.value);
    if (token.type !== 'block-map' && token.type !== 'block-seq' && token.type !== 'flow-collection') continue;
    if (token.type !== 'block-seq' && token.items.length > LIMITS.yamlKeys && token.items.some(({ sep }) => sep))
      throw new Refused(`A mapping has more than ${LIMITS.yamlKeys} keys.`);
    for (const { key, value } of token.items) waiting.push(key, value);
  }
}

function valueOf(tokens: Iterable<CST.Token>, length: number): unknown {
  const composer = new Composer({ prettyErrors: false, stringKeys: true, logLevel: 'error' });
  const [document, second] = [...composer.compose(tokens, true, length)];
  if (!document) throw new Error('Every text is a document.');
  const [error] = document.errors;
  if (error) throw new Refused(`This is no YAML: ${error.message.slice(0, 200)}`);
  if (second) throw new Refused('This is no YAML: it has several documents.');
  visit(document, {
    Node: (_key, node, path) => {
      if (!isNode(node)) return;
      if (isAlias(node)) throw new Refused('Aliases are not allowed in YAML.');
      if (node.anchor !== undefined) throw new Refused('Anchors are not allowed in YAML.');
      if (node.tag !== undefined) throw new Refused('Tags are not allowed in YAML.');
      if (path.length > (LIMITS.depth + 3) * 2) throw new Refused(TOO_DEEP);
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}
