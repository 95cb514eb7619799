import { posix } from 'node:path';
import { Archive } from '../archive.js';
import { unreadable } from '../import-failure.js';
import { LIMITS, mebibytes } from '../limits.js';
import { type CellContext, type SheetRow, SheetRows } from './sheet-rows.js';
import { SheetText } from './sheet-text.js';
import { utf8 } from '../utf8.js';
import { dateOf, WorkbookStyles } from './workbook-styles.js';
import { attributesOf, type XmlHandler, XmlProblem, XmlReader } from './xml-reader.js';

/** Where a workbook stands in a file that does not say so. */
const USUAL_PLACE = 'xl/workbook.xml';

/** What a file and its workbook refer to as such. */
const TYPES = ['officeDocument', 'worksheet', 'sharedStrings', 'styles'] as const;

/** The names of parts that are referred to, by id, each type for itself. */
type Targets = Readonly<Record<(typeof TYPES)[number], ReadonlyMap<string, string>>>;

/** Of most types a workbook has one. */
const firstOf = (parts: ReadonlyMap<string, string>): string | undefined => parts.values().next().value;

/** A sheet by its name, and where it stands in the file. */
export interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** A spreadsheet as Excel, LibreOffice and others write it (OOXML). */
export class Workbook {
  private constructor(
    private readonly parts: WorkbookParts,
    /** In their order. */
    readonly sheets: readonly Sheet[],
    private readonly context: CellContext,
  ) {}

  /**
   * @param signal ends the reading, also that of rows: its reason is thrown
   * @throws ImportFailure where it is no spreadsheet, or one that could do harm
   */
  static async open(file: string, bytes: Buffer, signal: AbortSignal): Promise<Workbook> {
    const archive = await Archive.open(bytes, file, {
      entries: LIMITS.spreadsheetEntries,
      unpacked: LIMITS.spreadsheetUnpacked,
    });
    try {
      const parts = new WorkbookParts(file, archive, signal);
      const place = firstOf((await parts.targets('')).officeDocument) ?? USUAL_PLACE;
      const outline = new Outline();
      await parts.read(place, outline);
      const { worksheet: places, sharedStrings, styles: stylesheets } = await parts.targets(place);
      // A part is one sheet: were it read for each name that it is given, a small file could take long.
      const sheets = new Map<string, Sheet>();
      for (const { name, id } of outline.sheets) {
        const part = places.get(id);
        if (part !== undefined && !sheets.has(part)) sheets.set(part, { name, part });
      }
      const texts = new SharedTexts();
      const textPart = firstOf(sharedStrings);
      if (textPart !== undefined) await parts.read(textPart, texts, LIMITS.spreadsheetTextPart);
      const styles = new WorkbookStyles();
      const stylePart = firstOf(stylesheets);
      if (stylePart !== undefined) await parts.read(stylePart, styles);
      return new Workbook(parts, [...sheets.values()], {
        texts: texts.texts,
        dateOf: (number, style) => (styles.isDate(style) ? dateOf(number, outline.since1904) : undefined),
      });
    } catch (error) {
      archive.close();
      throw error;
    }
  }

  /** The rows of a sheet, as they come. */
  async *rowsOf({ part }: Sheet): AsyncGenerator<readonly SheetRow[], void, undefined> {
    const { file } = this.parts;
    const rows = new SheetRows(file, part, this.context);
    for await (const text of this.parts.textOf(part)) yield rows.take(text);
    rows.end();
  }

  close(): void {
    this.parts.close();
  }
}

/** The parts of a file, which refer to each other. */
class WorkbookParts {
  constructor(
    readonly file: string,
    private readonly archive: Archive,
    private readonly signal: AbortSignal,
  ) {}

  async *textOf(part: string): AsyncGenerator<string, void, undefined> {
    for await (const text of utf8(this.file, this.archive.read(part))) {
      this.signal.throwIfAborted();
      yield text;
    }
  }

  /** @param largest bytes that the part may have */
  async read(part: string, handler: XmlHandler, largest: number = LIMITS.spreadsheetPart): Promise<void> {
    if (this.archive.sizeOf(part) > largest)
      throw unreadable(
        this.file,
        `The spreadsheet's part "${part}" is larger than ${mebibytes(largest)}. Choose another format.`,
      );
    const xml = new XmlReader(this.file, part, handler);
    for await (const text of this.textOf(part)) xml.take(text);
    xml.end();
  }

  /** What a part, or the file itself, refers to. */
  async targets(part: string): Promise<Targets> {
    const list = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
    const targets = {
      officeDocument: new Map<string, string>(),
      worksheet: new Map<string, string>(),
      sharedStrings: new Map<string, string>(),
      styles: new Map<string, string>(),
    };
    if (!this.archive.has(list)) return targets;
    await this.read(list, {
      open: (name, written) => {
        if (name !== 'Relationship') return;
        const attributes = attributesOf(written);
        // The name of a type is the end of a URI, which differs between the variants of the standard.
        const type = TYPES.find((one) => attributes.get('Type')?.endsWith(`/${one}`));
        if (type === undefined) return;
        const target = posix.resolve('/', posix.dirname(part), attributes.get('Target') ?? '').slice(1);
        targets[type].set(attributes.get('Id') ?? '', target);
      },
    });
    return targets;
  }

  close(): void {
    this.archive.close();
  }
}

/** The part that tells of the workbook as a whole. */
class Outline implements XmlHandler {
  readonly sheets: { readonly name: string; readonly id: string }[] = [];
  /** Whether days are counted from 1904. */
  since1904 = false;

  open(name: string, written: string): void {
    if (name !== 'sheet' && name !== 'workbookPr') return;
    const attributes = attributesOf(written);
    if (name === 'sheet') this.sheets.push({ name: attributes.get('name') ?? '', id: attributes.get('id') ?? '' });
    else this.since1904 = /^(?:1|true)$/.test(attributes.get('date1904') ?? '');
    if (this.sheets.length > LIMITS.spreadsheetSheets)
      throw new XmlProblem(`there are more than ${LIMITS.spreadsheetSheets} sheets.`);
  }
}

/** The part with the texts that cells share. */
class SharedTexts implements XmlHandler {
  readonly texts: string[] = [];
  private readonly read = new SheetText();

  open(name: string): void {
    if (name === 'si') this.read.clear();
    else this.read.open(name);
  }

  text(text: string): void {
    this.read.text(text);
  }

  close(name: string): void {
    if (name === 'si') this.add(this.read.whole);
    else this.read.close(name);
  }

  private add(text: string): void {
    if (this.texts.length === LIMITS.spreadsheetTexts)
      throw new XmlProblem(`there are more than ${LIMITS.spreadsheetTexts} texts.`);
    this.texts.push(text);
  }
}
