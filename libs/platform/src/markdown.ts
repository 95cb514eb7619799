import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';

/** CommonMark with tables; raw HTML stays text. */
const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');

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
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
};

/**
 * Renders CommonMark with tables as HTML that is safe to show: raw HTML in the text is shown as text, and what the
 * renderer gives is held against a list of allowed elements, attributes and link schemes.
 *
 * @param text CommonMark
 * @returns HTML
 */
export function renderMarkdown(text: string): string {
  return sanitize(markdown.render(text), ALLOWED);
}
