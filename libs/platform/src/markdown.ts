import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import sanitize from 'sanitize-html';
import { isHostListed } from './host-list.js';

const SCHEMES = ['http', 'https', 'mailto'];

/** One of these schemes, or none: a colon in the first part of a path would end one, however odd it looks. */
const SAFE_TARGET = new RegExp(`^(?:(?:${SCHEMES.join('|')}):|[^:/?#]*(?:[/?#]|$))`, 'i');

const isSafe = ([name, value]: readonly [string, string | number]): boolean =>
  (name !== 'href' && name !== 'src') || SAFE_TARGET.test(String(value));

/**
 * What a relative address is resolved with, to see where it leads in a browser. No page has this scheme: `https:host/x`
 * is relative on a page with https, and leads to `host` on others.
 */
const OWN = new URL('ws://own.invalid');

/** Whether a rendered text may load an image: one of the service itself, or over https of an allowed host. */
function mayLoad(source: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(source, OWN.href)) return false;
  const url = new URL(source, OWN);
  return url.protocol === 'https:' ? isHostListed(url, hosts) : url.origin === OWN.origin;
}

/**
 * Replaces an image that may not be loaded by a link to it, with its alternative text or else its address. A link can't
 * contain another: within one, only the text is left.
 */
function instead(image: Token, within: 'a link' | 'text', { Token: Made, md, env }: StateCore): Token[] {
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

/** The tokens of a text, without images that may not be loaded. */
function withoutForeignImages(tokens: readonly Token[], hosts: readonly string[], state: StateCore): Token[] {
  let links = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting;
    const source = token.type === 'image' ? token.attrGet('src') : null;
    if (source === null || mayLoad(String(source), hosts)) return [token];
    return instead(token, links > 0 ? 'a link' : 'text', state);
  });
}

/** CommonMark with tables; raw HTML stays text, and links and images lose a target that is not safe. */
function parserFor(imageHosts: readonly string[]) {
  const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
  // Else what looks like such a link would stay as it was written, with its target for all to read.
  markdown.validateLink = () => true;
  markdown.core.ruler.push('safe_targets', (state) => {
    for (const token of state.tokens) {
      if (!token.children) continue;
      for (const child of token.children) child.attrs = child.attrs?.filter(isSafe) ?? null;
      token.children = withoutForeignImages(token.children, imageHosts, state);
    }
  });
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

/**
 * Makes a function that renders CommonMark with tables as HTML that is safe to show: raw HTML in the text is shown as
 * text, links and images have a target only where its scheme is allowed, and the result is checked against a list of
 * allowed elements, attributes and schemes. An image tells its host who reads a text and when, so only images of
 * `imageHosts` are loaded; others become links.
 *
 * @param imageHosts hosts whose images are loaded, over https
 * @returns the function, from CommonMark to HTML
 */
export function markdownRenderer(imageHosts: readonly string[]): (text: string) => string {
  const markdown = parserFor(imageHosts);
  return (text) => sanitize(markdown.render(text), ALLOWED);
}
