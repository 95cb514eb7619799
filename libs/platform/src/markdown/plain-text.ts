import { escapeHtml } from '../escape-html.js';

export const NOTICE =
  'This text is shown without formatting, because its formatted form would take too much space or time.';

/** A Markdown text as escaped plain text with a notice, for texts that can't be rendered within the limits. */
export const plainText = (text: string): string => `<p><em>${NOTICE}</em></p>\n<pre>${escapeHtml(text)}</pre>\n`;
