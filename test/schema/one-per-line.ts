/** Puts each column of a `CREATE TABLE` on a line of its own, so that a change of one shows as one. */
export const onePerLine = (sql: string): string =>
  sql
    .split('\n')
    .map((line) => (line.startsWith('create table') ? columnsApart(line) : line))
    .join('\n');

/** Breaks a line at the commas of its outermost parentheses. */
function columnsApart(line: string): string {
  let depth = 0;
  let broken = '';
  for (const character of line) {
    if (character === ')' && --depth === 0) broken += '\n';
    broken += character;
    if (character === '(' && ++depth === 1) broken += '\n  ';
    if (character === ',' && depth === 1) broken += '\n ';
  }
  return broken;
}
