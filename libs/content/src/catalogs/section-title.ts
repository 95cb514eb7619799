import { cleanLine } from '#domain/kernel/fields/field-checks.js';
import { MAX_LINE_LENGTH } from '#domain/kernel/fields/text-limits.js';

/** Makes a title of a text: removes line breaks, and cuts a long text at the end of a word. */
export function titleOf(text: string): string {
  const line = cleanLine(text.replaceAll(/\s+/g, ' '));
  if (line.length <= MAX_LINE_LENGTH) return line;
  const cut = line.slice(0, MAX_LINE_LENGTH - 1);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
