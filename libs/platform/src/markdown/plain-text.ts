/** Escapes a text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const NOTICE =
  'This text is shown without formatting, because its formatted form would take too much space or time.';

/** A Markdown text as escaped plain text with a notice, for texts that can't be rendered within the limits. */
export const plainText = (text: string): string => `<p><em>${NOTICE}</em></p>\n<pre>${escapeHtml(text)}</pre>\n`;
