import type { FileToRead, FormatReader, RawRow, Refuse } from './format-reader.js';
import { unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';
import { MemberNames, rowOf } from './object-rows.js';
import { checkColumns, checkModel } from './read-json.js';
import { utf8 } from './utf8.js';
import { YamlParser } from './yaml-parser.js';

const ROWS = /^rows:[ \t]*(?:#.*)?$/;
const EMPTY = /^[ \t]*(?:#.*)?$/;

/**
 * One mapping `{model, columns, rows}` without aliases, anchors or tags. The parser needs a whole document: rows that
 * stand below each other, as exports write them, are given to it one by one, and other files only where they are small.
 */
export const readYaml: FormatReader = async function* (file, refuse) {
  const parser = new YamlParser(file.name, file.signal);
  try {
    yield* readWith(parser, file, refuse);
  } finally {
    await parser.close();
  }
};

async function* readWith(
  parser: YamlParser,
  file: FileToRead,
  refuse: Refuse,
): AsyncGenerator<RawRow, void, undefined> {
  const { name } = file;
  const names = new MemberNames(file, refuse);
  let row = 0;
  const take = function* (values: readonly unknown[]): Generator<RawRow, void, undefined> {
    for (const value of values) {
      row += 1;
      const members = rowOf(value, row, refuse);
      if (!members) continue;
      names.check(row, members);
      yield { row, values: members };
    }
  };

  const splitter = new Splitter(name);
  for await (const lines of linesOf(file))
    for (const line of lines) {
      const item = splitter.take(line);
      if (item !== undefined) yield* take(await rowsOf(parser, name, item, row + 1));
    }
  const { head, last } = splitter.end();
  if (last !== undefined) yield* take(await rowsOf(parser, name, last, row + 1));
  const whole = await parser.parse(head, null);
  if (typeof whole !== 'object' || whole === null || !('rows' in whole))
    throw unreadable(name, 'The file must be a mapping with a list "rows".');
  checkModel(name, 'model' in whole ? whole.model : undefined, file.model);
  checkColumns(file, 'columns' in whole ? whole.columns : undefined, refuse);
  if (splitter.split) return;
  if (!Array.isArray(whole.rows)) throw unreadable(name, '"rows" must be a list.');
  yield* take(whole.rows as unknown[]);
}

/** Tells rows that stand below each other apart, and keeps everything else. */
class Splitter {
  /** Whether rows were told apart. */
  split = false;
  private head = '';
  private item: string[] = [];
  private size = 0;
  private indent: string | undefined;
  private state: 'head' | 'rows' | 'items' = 'head';

  constructor(private readonly file: string) {}

  /** Takes a line with its end; answers the row before it where that is complete. */
  take(line: string): string | undefined {
    if (this.state === 'rows' && !EMPTY.test(line)) {
      const [, indent] = /^( *)- /.exec(line) ?? [];
      this.indent = indent;
      this.state = indent === undefined ? 'head' : 'items';
      this.split = indent !== undefined;
    }
    if (this.state !== 'items') {
      if (this.state === 'head' && !this.split && ROWS.test(line.trimEnd())) this.state = 'rows';
      this.head += line;
      if (this.head.length > LIMITS.yamlWhole)
        throw unreadable(
          this.file,
          `A YAML file of more than ${mebibytes(LIMITS.yamlWhole)} must have its rows as a list of lines that begin with "- ", as exports have.`,
        );
      return undefined;
    }
    if (line.startsWith(`${this.indent}- `)) {
      const before = this.item;
      this.item = [line];
      this.size = line.length;
      return before.length ? before.join('') : undefined;
    }
    // What follows the list at its level belongs to the mapping again.
    if (/^[^\s#-]/.test(line)) {
      const before = this.item;
      this.item = [];
      this.state = 'head';
      this.head += line;
      return before.join('');
    }
    this.item.push(line);
    this.size += line.length;
    if (this.size > LIMITS.yamlRow) throw unreadable(this.file, `A row is larger than ${mebibytes(LIMITS.yamlRow)}.`);
    return undefined;
  }

  /** What is left: the mapping without its rows, and the last of these. */
  end(): { readonly head: string; readonly last: string | undefined } {
    return { head: this.head, last: this.item.length ? this.item.join('') : undefined };
  }
}

/** The lines of a file as they come, each with its end. */
async function* linesOf({ name, content }: FileToRead): AsyncGenerator<readonly string[], void, undefined> {
  let rest = '';
  for await (const text of utf8(name, content)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield lines.map((line) => `${line}\n`);
    if (rest.length > LIMITS.yamlWhole) throw unreadable(name, `A line is longer than ${mebibytes(LIMITS.yamlWhole)}.`);
  }
  if (rest !== '') yield [rest];
}

/** The rows of a text that begins with `- `: one, where it is indented as its neighbours are. */
async function rowsOf(parser: YamlParser, file: string, text: string, row: number): Promise<readonly unknown[]> {
  const value = await parser.parse(text, row);
  if (!Array.isArray(value)) throw unreadable(file, 'The row can not be told from others by its indentation.', row);
  return value;
}
