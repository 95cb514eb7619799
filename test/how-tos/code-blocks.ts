/** A code block of a how-to. */
export interface CodeBlock {
  /** Of the how-to. */
  readonly id: string;
  /** The text after the opening fence. */
  readonly language: string;
  readonly code: string;
}

const FENCED = /^```([\w+-]*)\n(.*?)^```$/gms;

export const blocksOf = (id: string, markdown: string): CodeBlock[] =>
  [...markdown.matchAll(FENCED)].map(([, language = '', code = '']) => ({ id, language, code }));
