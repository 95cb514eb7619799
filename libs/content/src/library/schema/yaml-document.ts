import { isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';

/** The value of a file, or its errors. */
type Parsed = { readonly value: unknown } | { readonly errors: string[] };

/**
 * Parses plain YAML 1.2: one document of mappings, lists and scalars. Anchors, aliases, tags and directives are
 * rejected: content does not need them, and they hide what a file means. Texts are trimmed at the end, because a block
 * text ends with a line break that is not part of it.
 */
export function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const errors = [...document.errors, ...document.warnings].map(firstLine);
  if (document.directives?.yaml.explicit || Object.keys(document.directives?.tags ?? {}).some((tag) => tag !== '!!')) {
    errors.push('directives are not allowed');
  }
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    const reject = (what: string): number => errors.push(`${what} at line ${lines.linePos(node.range?.[0] ?? 0).line}`);
    if (isAlias(node)) reject('aliases are not allowed:');
    else if (node.anchor) reject('anchors are not allowed:');
    if (node.tag) reject('tags are not allowed:');
  });
  if (errors.length) return { errors };
  return {
    value: document.toJS({ reviver: (_key, value: unknown) => (typeof value === 'string' ? value.trimEnd() : value) }),
  };
}

/** Messages of the parser continue with an excerpt of the file. */
const firstLine = (error: Error): string => error.message.split('\n', 1).join('').replace(/:$/, '');
