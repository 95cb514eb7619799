import type { FileToRead, FormatReader, RawRow, Refuse } from '../format-reader.js';
import { unreadable } from '../files-refused.js';
import { LIMITS, mebibytes } from '../limits.js';
import { MemberNames, rowOf } from '../object-rows.js';
import { checkColumns, checkModel } from '../json/read-json.js';
import { utf8 } from '../utf8.js';
import { YamlParser } from './yaml-parser.js';

/** Rows that are parsed at once: as many as are compared at once, so that neither waits for the other. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2 ** 20;

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
  const queue = new RowQueue(parser, name);
  for await (const lines of linesOf(file))
    for (const line of lines) {
      const item = splitter.take(line);
      if (item !== undefined && queue.add(item)) yield* take(await queue.next());
    }
  const { head, last } = splitter.end();
  if (last !== undefined) queue.add(last);
  // What is parsed already comes first, and then what waits.
  for (let n = 0; n < 2; n += 1) yield* take(await queue.next());
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
          `A YAML file of more than ${mebibytes(LIMITS.yamlWhole)} must have its rows as a list of lines that ` +
            'begin with "- ", as exports have.',
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

/** Gives rows to the parser some at a time: while it works on them, those before are worked on here. */
class RowQueue {
  private waiting: string[] = [];
  private size = 0;
  private count = 0;
  private parsed: Promise<readonly unknown[]> = Promise.resolve([]);

  constructor(
    private readonly parser: YamlParser,
    private readonly file: string,
  ) {}

  /** Takes the text of a row, which begins with `- `. True: it is time to take rows out. */
  add(text: string): boolean {
    this.waiting.push(text);
    this.size += text.length;
    return this.waiting.length >= BATCH_ROWS || this.size >= BATCH_CHARACTERS;
  }

  /** The rows that were given to the parser before; those that wait are given to it now. */
  async next(): Promise<readonly unknown[]> {
    const before = await this.parsed;
    const texts = this.waiting;
    const first = this.count + 1;
    this.waiting = [];
    this.size = 0;
    this.count += texts.length;
    this.parsed = texts.length ? this.parse(texts, first) : Promise.resolve([]);
    this.parsed.catch(() => undefined); // it is awaited above; until then nothing listens
    return before;
  }

  /** One row each, where it is indented as its neighbours are. */
  private async parse(texts: readonly string[], first: number): Promise<readonly unknown[]> {
    const lists = await this.parser.parseAll(texts, first);
    return lists.flatMap((list, n) => {
      if (Array.isArray(list)) return list as unknown[];
      throw unreadable(this.file, 'The row can not be told from others by its indentation.', first + n);
    });
  }
}
