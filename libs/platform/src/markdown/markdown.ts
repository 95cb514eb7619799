import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import sanitize from 'sanitize-html';
import { isHostListed } from '../host-list.js';
import { assertAtMost, limitAmplification, maximumHtmlLength, TextTooLarge } from './limits.js';
import { plainText } from './plain-text.js';
import { breakLinesInCells } from './table-breaks.js';

const SCHEMES = ['http', 'https', 'mailto'];

/** A target with one of these schemes, or with none: a colon in the first segment of a path would end a scheme. */
const SAFE_TARGET = new RegExp(`^(?:(?:${SCHEMES.join('|')}):|[^:/?#]*(?:[/?#]|$))`, 'i');

const isSafe = ([name, value]: readonly [string, string | number]): boolean =>
  (name !== 'href' && name !== 'src') || SAFE_TARGET.test(String(value));

/**
 * The base URL for relative addresses, used to see where they lead in a browser. No page has this scheme:
 * `https:host/x` is relative on a page with https, and leads to `host` on others.
 */
const BASE_URL = new URL('ws://own.invalid');

/** Whether a rendered text may load an image: from the service itself, or over https from an allowed host. */
function mayLoad(source: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(source, BASE_URL.href)) return false;
  const url = new URL(source, BASE_URL);
  return url.protocol === 'https:' ? isHostListed(url, hosts) : url.origin === BASE_URL.origin;
}

/**
 * Replaces an image that may not be loaded by a link to it, labelled with its alternative text or its address. Links
 * can't be nested: inside a link, only the text remains.
 */
function linkInsteadOfImage(image: Token, within: 'a link' | 'text', { Token: Made, md, env }: StateCore): Token[] {
  const source = String(image.attrGet('src'));
  const alternative = md.renderer.renderInlineAsText(image.children ?? [], md.options, env);
  const text = new Made('text', '', 0);
  text.content = alternative === '' ? source : alternative;
  if (within === 'a link') return [text];
  const link = new Made('link_open', 'a', 1);
  link.attrs = (image.attrs ?? []).flatMap(([name, value]): [string, string | number][] => {
    if (name === 'src') return [['href', value]];
    return name === 'title' ? [[name, value]] : [];
  });
  return [link, text, new Made('link_close', 'a', -1)];
}

/** The tokens of a text, with foreign images replaced. */
function withoutForeignImages(tokens: readonly Token[], hosts: readonly string[], state: StateCore): Token[] {
  let links = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting;
    const source = token.type === 'image' ? token.attrGet('src') : null;
    if (source === null || mayLoad(String(source), hosts)) return [token];
    return linkInsteadOfImage(token, links > 0 ? 'a link' : 'text', state);
  });
}

/**
 * Parses CommonMark with tables; raw HTML stays text, and links and images with an unsafe target lose it. The parser
 * throws `TextTooLarge`.
 */
function parserFor(imageHosts: readonly string[]) {
  const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
  breakLinesInCells(markdown);
  markdown.core.ruler.push('safe_targets', (state) => {
    for (const token of state.tokens) {
      if (!token.children) continue;
      for (const child of token.children) child.attrs = child.attrs?.filter(isSafe) ?? null;
      token.children = withoutForeignImages(token.children, imageHosts, state);
    }
  });
  limitAmplification(markdown);
  return markdown;
}

const ALLOWED: sanitize.IOptions = {
  allowedTags:
    'a blockquote br code em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong table tbody td th thead tr ul'.split(' '),
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title'],
    ol: ['start'],
    code: ['class'],
    td: ['style'],
    th: ['style'],
  },
  allowedStyles: { '*': { 'text-align': [/^(left|right|center)$/] } },
  allowedClasses: { code: [/^language-[\w+#.-]+$/] },
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
};

/** Removes all elements, attributes and schemes of HTML that are not allowed. */
export const sanitizeHtml = (html: string): string => sanitize(html, ALLOWED);

/**
 * Creates a function that renders CommonMark with tables as safe HTML: raw HTML is shown as text, links and images keep
 * a target only if its scheme is allowed, and the result is sanitized with a list of allowed elements, attributes and
 * schemes. Loading an image reveals to its host who reads a text and when, so only images of `imageHosts` are loaded;
 * others become links. If the HTML would exceed a limit, the function returns escaped plain text with a notice.
 *
 * Rendering may take a second. Processes that serve requests use `MarkdownThreads`.
 *
 * @param imageHosts hosts whose images are loaded, over https
 * @returns the function, from CommonMark to HTML
 */
export function markdownRenderer(imageHosts: readonly string[]): (text: string) => string {
  const markdown = parserFor(imageHosts);
  return (text) => {
    try {
      const html = markdown.render(text);
      assertAtMost(maximumHtmlLength(text), html.length, 'characters as HTML');
      return sanitizeHtml(html);
    } catch (error) {
      if (error instanceof TextTooLarge) return plainText(text);
      throw error;
    }
  };
}
