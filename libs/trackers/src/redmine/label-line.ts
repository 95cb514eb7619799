import { MERLON_LABEL } from '../issue.js';

/** How the last line of a text begins that holds labels. */
const START = `Labels: ${MERLON_LABEL}, `;

/** The last line of a text, and what precedes it. */
function parts(description: string): readonly [text: string, line: string] {
  const whole = description.replaceAll('\r\n', '\n').trimEnd();
  const end = whole.lastIndexOf('\n');
  const line = whole.slice(end + 1);
  return line.startsWith(START) ? [whole.slice(0, Math.max(end, 0)).trimEnd(), line] : [whole, ''];
}

/** A text with labels in its last line; the text alone if there are none. */
export function withLabels(text: string, labels: readonly string[]): string {
  if (labels.length === 0) return text;
  const line = `Labels: ${labels.map((label) => label.replaceAll(/[\s,]+/g, ' ').trim()).join(', ')}`;
  return `${text.trimEnd()}\n\n${line}`;
}

/** The labels in the last line of a text. */
export function labelsIn(description: string): readonly string[] {
  const [, line] = parts(description);
  return line === '' ? [] : line.slice('Labels: '.length).split(', ');
}

/** A text without the line of its labels. */
export const textIn = (description: string): string => parts(description)[0];
