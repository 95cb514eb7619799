import { isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';

/** The value of a file, or its errors. */
type Parsed = { readonly value: unknown } | { readonly problems: string[] };

/**
 * Parses plain YAML 1.2: one document of mappings, lists and scalars. Anchors, aliases, tags and directives are
 * rejected: content does not need them, and they hide what a file means. Texts are trimmed at the end, because a block
 * text ends with a line break that is not part of it.
 */
export function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problems = [...document.errors, ...document.warnings].map(firstLine);
  if (document.directives?.yaml.explicit || Object.keys(document.directives?.tags ?? {}).some((tag) => tag !== '!!')) {
    problems.push('directives are not allowed');
  }
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    const refuse = (what: string): number =>
      problems.push(`${what} at line ${lines.linePos(node.range?.[0] ?? 0).line}`);
    if (isAlias(node)) refuse('aliases are not allowed:');
    else if (node.anchor) refuse('anchors are not allowed:');
    if (node.tag) refuse('tags are not allowed:');
  });
  if (problems.length) return { problems };
  return {
    value: document.toJS({ reviver: (_key, value: unknown) => (typeof value === 'string' ? value.trimEnd() : value) }),
  };
}

/** Messages of the parser continue with an excerpt of the file. */
const firstLine = (error: Error): string => error.message.split('\n', 1).join('').replace(/:$/, '');
