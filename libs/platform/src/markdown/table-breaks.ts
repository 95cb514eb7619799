import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** The only way to write a line break in a table cell. */
const BREAK = /<br[ \t]*\/?>/i;

/** Splits a text token at its line breaks. */
function withBreaks(token: Token, { Token: Made }: StateCore): Token[] {
  if (token.type !== 'text' || !BREAK.test(token.content)) return [token];
  return token.content.split(BREAK).flatMap((content, index) => {
    const text = new Made('text', '', 0);
    text.content = content;
    return index ? [new Made('hardbreak', 'br', 0), text] : [text];
  });
}

/** Renders `<br>` in a table cell as a line break. Code and escaped characters have tokens of their own. */
export function breakLinesInCells(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'table_breaks', (state) => {
    state.tokens.forEach((token, index) => {
      const isInCell = /^t[dh]_open$/.test(state.tokens[index - 1]?.type ?? '');
      if (isInCell && token.children) token.children = token.children.flatMap((child) => withBreaks(child, state));
    });
  });
}
