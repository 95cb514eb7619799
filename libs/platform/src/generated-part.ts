/**
 * Replaces a part of a document that `npm run generate` writes. Everything else in the document is written by hand.
 *
 * @param document a Markdown document with the comments that mark the part
 * @param name the name in these comments
 * @param part the new text between them
 * @returns the document with the new part
 * @throws Error if the document does not have both comments
 */
export function withGeneratedPart(document: string, name: string, part: string): string {
  const begin = `<!-- ${name}: written by \`npm run generate\` -->`;
  const [before, after] = [document.indexOf(begin), document.indexOf(`<!-- end of ${name} -->`)];
  if (before === -1 || after === -1) throw new Error(`The document has no comments that mark the ${name}.`);
  return `${document.slice(0, before)}${begin}\n\n${part}\n\n${document.slice(after)}`;
}
