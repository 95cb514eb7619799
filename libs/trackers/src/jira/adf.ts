import MarkdownIt, { type Token } from 'markdown-it';

/** A node of the Atlassian Document Format, in which Jira Cloud stores texts. */
export interface AdfNode {
  readonly type: string;
  readonly text?: string | undefined;
  readonly content?: readonly AdfNode[] | undefined;
  readonly marks?: readonly AdfMark[] | undefined;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
}

interface AdfMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
}

const markdown = new MarkdownIt('commonmark', { html: false });

const MARKS: Readonly<Record<string, string>> = { strong_open: 'strong', em_open: 'em', link_open: 'link' };

const markOf = (token: Token): AdfMark => {
  const type = MARKS[token.type] ?? '';
  return type === 'link' ? { type, attrs: { href: String(token.attrGet('href')) } } : { type };
};

/** The content of a paragraph. */
function inlineNodes(tokens: readonly Token[]): AdfNode[] {
  const marks: AdfMark[] = [];
  return tokens.flatMap((token): AdfNode[] => {
    if (token.type in MARKS) marks.push(markOf(token));
    else if (token.nesting === -1) marks.pop();
    else if (token.type === 'hardbreak') return [{ type: 'hardBreak' }];
    const isCode = token.type === 'code_inline';
    // Code may be a link, but has no other marks.
    const all = isCode ? [...marks.filter(({ type }) => type === 'link'), { type: 'code' }] : [...marks];
    const text = token.type === 'softbreak' ? ' ' : token.content;
    return token.nesting !== 0 || text === '' ? [] : [{ type: 'text', text, ...(all.length > 0 && { marks: all }) }];
  });
}

/** The node of a block; undefined if ADF does not allow it here, so that its content becomes that of its parent. */
function blockOf({ type, tag }: Token, content: readonly AdfNode[], parent: string): AdfNode | undefined {
  if (type === 'bullet_list_close') return { type: 'bulletList', content };
  if (type === 'ordered_list_close') return { type: 'orderedList', content };
  if (type === 'list_item_close')
    return { type: 'listItem', content: content.length > 0 ? content : [{ type: 'paragraph', content: [] }] };
  if (parent !== 'doc' && type === 'blockquote_close') return undefined;
  if (type === 'blockquote_close') return { type: 'blockquote', content };
  if (type === 'heading_close' && parent === 'doc')
    return { type: 'heading', attrs: { level: Number(tag[1]) }, content };
  return { type: 'paragraph', content };
}

/** Converts Markdown to a document of Jira Cloud. */
export function adfOf(text: string): AdfNode & { readonly version: 1 } {
  const open: { readonly type: string; readonly content: AdfNode[] }[] = [{ type: 'doc', content: [] }];
  const add = (...nodes: readonly AdfNode[]): void => void open.at(-1)?.content.push(...nodes);
  for (const token of markdown.parse(text, {})) {
    if (token.nesting === 1) open.push({ type: token.type, content: [] });
    else if (token.nesting === -1) {
      const content = open.pop()?.content ?? [];
      const node = blockOf(token, content, open.at(-1)?.type ?? 'doc');
      add(...(node ? [node] : content));
    } else if (token.type === 'inline') add(...inlineNodes(token.children ?? []));
    else if (token.type === 'hr') {
      if (open.length === 1) add({ type: 'rule' });
    } else if (token.content !== '')
      add({ type: 'codeBlock', content: [{ type: 'text', text: token.content.replace(/\n$/, '') }] });
  }
  return { type: 'doc', version: 1, content: open[0]?.content ?? [] };
}

const childrenOf = (node: AdfNode, separator: string): string =>
  (node.content ?? []).map((child) => markdownOf(child)).join(separator);

function markedText({ text = '', marks = [] }: AdfNode): string {
  // In Markdown, marks do not begin or end with a blank.
  let marked = text.trim();
  if (marked === '' || marks.length === 0) return text;
  for (const { type, attrs } of marks.toReversed()) {
    if (type === 'code') marked = `\`${marked}\``;
    else if (type === 'strong') marked = `**${marked}**`;
    else if (type === 'em') marked = `_${marked}_`;
    else if (type === 'link') marked = `[${marked}](${String(attrs?.['href'])})`;
  }
  const before = text.slice(0, text.length - text.trimStart().length);
  return before + marked + text.slice(text.trimEnd().length);
}

const listOf = (node: AdfNode, bullet: (index: number) => string): string =>
  (node.content ?? []).map((item, index) => bullet(index) + childrenOf(item, '\n').replaceAll('\n', '\n  ')).join('\n');

/** Converts a node of Jira Cloud to Markdown. Only the text remains of nodes that Markdown does not have. */
export function markdownOf(node: AdfNode): string {
  switch (node.type) {
    case 'doc':
      return childrenOf(node, '\n\n');
    case 'text':
      return markedText(node);
    case 'hardBreak':
      return '\n';
    case 'rule':
      return '---';
    case 'heading':
      return `${'#'.repeat(Number(node.attrs?.['level'] ?? 1))} ${childrenOf(node, '')}`;
    case 'bulletList':
      return listOf(node, () => '- ');
    case 'orderedList':
      return listOf(node, (index) => `${index + 1}. `);
    case 'codeBlock':
      return `\`\`\`\n${childrenOf(node, '')}\n\`\`\``;
    case 'blockquote':
      return `> ${childrenOf(node, '\n\n').replaceAll('\n', '\n> ')}`;
    default:
      return childrenOf(node, '');
  }
}
