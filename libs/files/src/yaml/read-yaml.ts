import type { FileToRead, FormatReader, RawRow, ReportError } from '../format-reader.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { MemberNames, rowOf } from '../object-rows.js';
import { checkColumns, checkModel } from '../json/read-json.js';
import { utf8 } from '../utf8.js';
import { YamlParser } from './yaml-parser.js';

/** Rows that are parsed at once: as many as are compared at once, so that both stages run in parallel. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2 ** 20;

const ROWS = /^rows:[ \t]*(?:#.*)?$/;
const EMPTY = /^[ \t]*(?:#.*)?$/;

/**
 * Reads one mapping `{model, columns, rows}` without aliases, anchors or tags. The parser needs whole documents: rows
 * in a block list, as exports write them, are parsed row by row; other files are only accepted if they are small.
 */
export const readYaml: FormatReader = async function* (file, report) {
  const parser = new YamlParser(file.name, file.signal);
  try {
    yield* readWith(parser, file, report);
  } finally {
    await parser.close();
  }
};

async function* readWith(
  parser: YamlParser,
  file: FileToRead,
  report: ReportError,
): AsyncGenerator<RawRow, void, undefined> {
  const { name } = file;
  const names = new MemberNames(file, report);
  let row = 0;
  const take = function* (values: readonly unknown[]): Generator<RawRow, void, undefined> {
    for (const value of values) {
      row += 1;
      const members = rowOf(value, row, report);
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
  // First the rows that are parsed already, then those that are still queued.
  for (let n = 0; n < 2; n += 1) yield* take(await queue.next());
  const document = await parser.parse(head, null);
  if (typeof document !== 'object' || document === null || !('rows' in document))
    throw unreadable(name, 'The file must be a mapping with a list "rows".');
  checkModel(name, 'model' in document ? document.model : undefined, file.model);
  checkColumns(file, 'columns' in document ? document.columns : undefined, report);
  if (splitter.split) return;
  if (!Array.isArray(document.rows)) throw unreadable(name, '"rows" must be a list.');
  yield* take(document.rows as unknown[]);
}

/** Splits a block list into rows, and collects the rest of the file. */
class Splitter {
  /** Whether the rows were split. */
  split = false;
  private head = '';
  private item: string[] = [];
  private size = 0;
  private indent: string | undefined;
  private state: 'head' | 'rows' | 'items' = 'head';

  constructor(private readonly file: string) {}

  /** Accepts a line with its line break. Returns the previous row if this line completes it. */
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
          `A YAML file of more than ${mebibytes(LIMITS.yamlWhole)} must list its rows in lines that ` +
            'begin with "- ", as exports do.',
        );
      return undefined;
    }
    if (line.startsWith(`${this.indent}- `)) {
      const before = this.item;
      this.item = [line];
      this.size = line.length;
      return before.length ? before.join('') : undefined;
    }
    // An unindented line after the list belongs to the top-level mapping again.
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

  /** The mapping without its rows, and the last row. */
  end(): { readonly head: string; readonly last: string | undefined } {
    return { head: this.head, last: this.item.length ? this.item.join('') : undefined };
  }
}

/** The lines of a file, each with its line break. */
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

/** Passes rows to the parser in batches: while it parses one batch, the previous one is processed here. */
class RowQueue {
  private queuedTexts: string[] = [];
  private size = 0;
  private count = 0;
  private parsed: Promise<readonly unknown[]> = Promise.resolve([]);

  constructor(
    private readonly parser: YamlParser,
    private readonly file: string,
  ) {}

  /** Adds the text of a row, which begins with `- `. Returns true if the batch is complete. */
  add(text: string): boolean {
    this.queuedTexts.push(text);
    this.size += text.length;
    return this.queuedTexts.length >= BATCH_ROWS || this.size >= BATCH_CHARACTERS;
  }

  /** The rows of the previous batch. The queued rows are passed to the parser. */
  async next(): Promise<readonly unknown[]> {
    const before = await this.parsed;
    const texts = this.queuedTexts;
    const first = this.count + 1;
    this.queuedTexts = [];
    this.size = 0;
    this.count += texts.length;
    this.parsed = texts.length ? this.parse(texts, first) : Promise.resolve([]);
    this.parsed.catch(() => undefined); // awaited by the next call; until then nothing handles a rejection
    return before;
  }

  /** Expects one row per text, with the same indentation as the other rows. */
  private async parse(texts: readonly string[], first: number): Promise<readonly unknown[]> {
    const lists = await this.parser.parseAll(texts, first);
    return lists.flatMap((list, n) => {
      if (Array.isArray(list)) return list as unknown[];
      throw unreadable(this.file, 'The row is not indented like the other rows.', first + n);
    });
  }
}
