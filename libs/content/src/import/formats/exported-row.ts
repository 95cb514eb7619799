import { PLAIN, scalar } from '#files/yaml.js';

/** `name: rest`, after `- ` in the first line of a row. */
const MEMBER = /^(?:- | {2})([a-z][a-z_]*): (.+)$/;
const INDENT = '    ';

/** Whether a line belongs to the member above it. */
const isBelow = (line: string | undefined): boolean => line === '' || line?.startsWith(INDENT) === true;

/** The text of a literal block of these lines, or the value of a line of JSON. Throws where it is neither. */
function read([head = '', ...lines]: readonly string[]): unknown {
  if (head !== '|' && head !== '|-') return JSON.parse(head) as unknown;
  return lines.map((line) => line.slice(INDENT.length)).join('\n') + (head === '|' ? '\n' : '');
}

/** The value that is written in these lines, if it is written as exports write it. */
function valueOf(lines: readonly string[]): unknown {
  const [head = ''] = lines;
  if (lines.length === 1 && PLAIN.test(head)) return head.slice(1, -1);
  try {
    const value = read(lines);
    // What would read differently as YAML is written differently.
    return scalar(value) === lines.join('\n') ? value : undefined;
  } catch {
    return undefined; // it is no JSON, or nested too deep
  }
}

/**
 * A row of YAML as exports write it, to the letter: a member to a line, its value in JSON or as a literal block.
 * Undefined for all other rows, which the parser of the whole language must read: that takes many times as long.
 */
export function exportedRow(text: string): Readonly<Record<string, unknown>> | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '') return undefined;
  const row: Record<string, unknown> = {};
  for (let at = 0, next = 1; at < lines.length; at = next, next += 1) {
    const [line, name, rest = ''] = MEMBER.exec(lines[at] ?? '') ?? [];
    if (name === undefined || Object.hasOwn(row, name) || line?.startsWith('- ') !== (at === 0)) return undefined;
    while (isBelow(lines[next])) next += 1;
    const value = valueOf([rest, ...lines.slice(at + 1, next)]);
    if (value === undefined) return undefined;
    row[name] = value;
  }
  return row;
}
