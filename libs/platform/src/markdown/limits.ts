import type { MarkdownIt, StateBlock, Token } from 'markdown-it';

/** A text whose HTML would exceed a limit. */
export class TextTooLarge extends Error {}

/** HTML is at most this many times as long as its Markdown. */
export const MAX_AMPLIFICATION = 8;
/** Short texts may exceed the factor up to this length: the tags of a small table are longer than its cells. */
const SMALL_HTML = 2 ** 15;
const MAX_HTML_LENGTH = 2 ** 20;
const MAX_URL_LENGTH = 2000;
const MAX_DEFINITIONS = 1000;
/** Links and images together. */
const MAX_LINKS = 5000;
/** Cells of all tables of a text. The parser adds the cells that rows lack, so one character can stand for many. */
const MAX_TABLE_CELLS = 10_000;

/** The characters of the row below a table's header. */
const DELIMITER_ROW = /^[-:| \t]+$/;

/** The maximum length of the HTML of a text. */
export const maximumHtmlLength = (text: string): number =>
  Math.min(Math.max(text.length * MAX_AMPLIFICATION, SMALL_HTML), MAX_HTML_LENGTH);

/** Throws `TextTooLarge` if a value exceeds its maximum. */
export function assertAtMost(maximum: number, value: number, unit: string): void {
  if (value > maximum) throw new TextTooLarge(`The text has more than ${maximum} ${unit}.`);
}

/** The number of cells of the table that starts at a line; 0 if no table can start there. It may be too high. */
function tableCells(state: StateBlock, startLine: number, endLine: number): number {
  const lineOf = (line: number): string =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  if (startLine + 1 >= endLine || !lineOf(startLine).includes('|')) return 0;
  const delimiters = lineOf(startLine + 1);
  // Without a bar, there is only one column: its cells are not more than the lines.
  if (!delimiters.includes('|') || !DELIMITER_ROW.test(delimiters)) return 0;
  let line = startLine + 2;
  while (line < endLine && !state.isEmpty(line)) line += 1;
  const columns = delimiters.split('|').filter((cell) => cell.trim() !== '').length;
  return columns * (line - startLine - 1);
}

/** A lower bound of the length of the HTML of tokens, without rendering them. */
function leastLength(tokens: readonly Token[]): number {
  let length = 0;
  for (const { tag, attrs, content, children } of tokens) {
    if (tag !== '') length += tag.length + '<>'.length;
    for (const [name, value] of attrs ?? []) length += name.length + String(value).length;
    length += children ? leastLength(children) : content.length;
  }
  return length;
}

const isLink = ({ type }: Token): boolean => type === 'link_open' || type === 'image';

/**
 * Makes a parser throw `TextTooLarge` before it creates much from little: references repeat the URL and title of a
 * definition, and rows of a table get the cells that they lack. A URL that is too long stays text.
 */
export function limitAmplification(markdown: MarkdownIt): void {
  let cells = 0;
  // Links with an unsafe scheme are valid here and lose their target later. Otherwise they would be shown as their
  // source text, including the target.
  markdown.validateLink = (url) => url.length <= MAX_URL_LENGTH;
  markdown.core.ruler.before('block', 'count_from_zero', () => {
    cells = 0;
  });
  markdown.block.ruler.before('table', 'limit_cells', (state, startLine, endLine) => {
    cells += tableCells(state, startLine, endLine);
    assertAtMost(MAX_TABLE_CELLS, cells, 'table cells');
    return false;
  });
  markdown.core.ruler.after('block', 'limit_definitions', ({ env }) =>
    assertAtMost(MAX_DEFINITIONS, Object.keys(env.references ?? {}).length, 'link definitions'),
  );
  markdown.core.ruler.push('limit_output', ({ tokens, src }) => {
    const links = tokens.reduce((count, { children }) => count + (children?.filter(isLink).length ?? 0), 0);
    assertAtMost(MAX_LINKS, links, 'links and images');
    assertAtMost(maximumHtmlLength(src), leastLength(tokens), 'characters as HTML');
  });
}
