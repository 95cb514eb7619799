import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';

const SCHEMES = ['http', 'https', 'mailto'];

/** One of these schemes, or none: a colon in the first part of a path would end one, however odd it looks. */
const SAFE_TARGET = new RegExp(`^(?:(?:${SCHEMES.join('|')}):|[^:/?#]*(?:[/?#]|$))`, 'i');

const isSafe = ([name, value]: readonly [string, string | number]): boolean =>
  (name !== 'href' && name !== 'src') || SAFE_TARGET.test(String(value));

/** CommonMark with tables; raw HTML stays text, and links and images lose a target that is not safe. */
const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
// Else what looks like such a link would stay as it was written, with its target for all to read.
markdown.validateLink = () => true;
markdown.core.ruler.push('safe_targets', ({ tokens }) => {
  for (const { children } of tokens)
    for (const token of children ?? []) token.attrs = token.attrs?.filter(isSafe) ?? null;
});

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
 * Renders CommonMark with tables as HTML that is safe to show: raw HTML in the text is shown as text, links and images
 * have a target only where its scheme is allowed, and what the renderer gives is held once more against a list of allowed
 * elements, attributes and schemes.
 *
 * @param text CommonMark
 * @returns HTML
 */
export function renderMarkdown(text: string): string {
  return sanitize(markdown.render(text), ALLOWED);
}
