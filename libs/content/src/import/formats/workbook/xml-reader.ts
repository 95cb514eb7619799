import { unreadable } from '../import-failure.js';
import { mebibytes } from '../limits.js';

/** What is told of a document, in its order. Names are without their prefixes. */
export interface XmlHandler {
  /** An element begins. Its attributes are as they are written: `eachAttribute` reads them. */
  open?(name: string, attributes: string): void;
  /** A text within an element, or a piece of it. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Of what stands between two signs: more than any cell can have, however it is written. */
const LONGEST = 2 ** 20;

/** Levels of elements: far more than spreadsheets have. */
const DEEPEST = 64;

/**
 * Why a document is refused, as the end of a sentence. Handlers may throw it too: `XmlReader` tells which document it
 * is.
 */
export class XmlProblem extends Error {}

const BLANK = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const GREATER = 0x3e;
const QUESTION = 0x3f;

const COMMENT = ['<!--', '-->'] as const;
const CDATA = ['<![CDATA[', ']]>'] as const;
const INSTRUCTION = ['<?', '?>'] as const;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

const LAST_CODE_POINT = 0x10ffff;

const character = (code: number): string | undefined =>
  code <= LAST_CODE_POINT ? String.fromCodePoint(code) : undefined;

/** A reference by its parts, or a `&` that begins none. */
const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|([a-z]+));|&/g;

/** A text as it is meant: line ends are LF, and what is written as a reference is what it refers to. */
function meant(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (!lines.includes('&')) return lines;
  return lines.replace(REFERENCE, (reference, hexadecimal?: string, decimal?: string, name = '') => {
    const found =
      hexadecimal === undefined && decimal === undefined
        ? ENTITIES.get(name)
        : character(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
    if (found === undefined) throw new XmlProblem(`"${reference.slice(0, 100)}" stands for nothing.`);
    return found;
  });
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Tells each attribute. What declares a prefix is none. */
export function eachAttribute(written: string, take: (name: string, value: string) => void): void {
  for (let at = 0, equals = written.indexOf('='); equals >= 0; equals = written.indexOf('=', at)) {
    const name = written.slice(at, equals).trim();
    let begin = equals + 1;
    while (written.charCodeAt(begin) <= BLANK) begin += 1;
    const quote = written.charAt(begin);
    const end = quote === '"' || quote === "'" ? written.indexOf(quote, begin + 1) : -1;
    if (end < 0) throw new XmlProblem(`the value of "${name.slice(0, 100)}" does not stand in quotes.`);
    if (!name.startsWith('xmlns:')) take(withoutPrefix(name), meant(written.slice(begin + 1, end)));
    at = end + 1;
  }
}

/** Attributes by name. */
export function attributesOf(written: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  eachAttribute(written, (name, value) => attributes.set(name, value));
  return attributes;
}

/** Where the tag ends that begins before this place; negative where that is not known yet. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === GREATER) return at;
    if (sign !== QUOTE && sign !== APOSTROPHE) continue;
    at = text.indexOf(text.charAt(at), at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

/**
 * Tells the tags and texts of a document apart, as spreadsheets have them: without a document type, and so without
 * entities of its own, whose document may be made to grow without end.
 */
export class XmlReader {
  private rest = '';
  private readonly elements: string[] = [];

  /** @param part of the file, for errors */
  constructor(
    private readonly file: string,
    private readonly part: string,
    private readonly handler: XmlHandler,
  ) {}

  /** Takes the next piece. */
  take(piece: string): void {
    try {
      this.read(piece);
    } catch (error) {
      throw error instanceof XmlProblem ? this.refuse(error.message) : error;
    }
  }

  /** No more comes. */
  end(): void {
    if (this.elements.length || this.rest.trim() !== '') throw this.refuse('it ends too soon.');
  }

  private read(piece: string): void {
    const text = this.rest + piece;
    let at = 0;
    for (let begin = text.indexOf('<'); begin >= 0; begin = text.indexOf('<', at)) {
      if (begin > at) this.handler.text?.(meant(text.slice(at, begin)));
      at = begin;
      const end = this.readMarkup(text, begin);
      if (end < 0) break;
      at = end;
    }
    this.rest = text.slice(at);
    if (this.rest.length > LONGEST) throw new XmlProblem(`a text or tag is larger than ${mebibytes(LONGEST)}.`);
  }

  /** Reads what begins here with `<`; answers where it ends, negative where that is not known yet. */
  private readMarkup(text: string, begin: number): number {
    const second = text.charCodeAt(begin + 1);
    if (second === EXCLAMATION || second === QUESTION) return this.readAside(text, begin);
    const end = endOfTag(text, begin + 1);
    if (end < 0) return -1;
    if (second === SLASH) this.close(text.slice(begin + 2, end));
    else this.open(text, begin + 1, end);
    return end + 1;
  }

  private open(text: string, begin: number, end: number): void {
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const last = isEmpty ? end - 1 : end;
    let behind = begin;
    while (behind < last && text.charCodeAt(behind) > BLANK) behind += 1;
    const name = text.slice(begin, behind);
    if (this.elements.length === DEEPEST) throw new XmlProblem(`elements are nested deeper than ${DEEPEST} levels.`);
    this.elements.push(name);
    this.handler.open?.(withoutPrefix(name), text.slice(behind, last));
    if (isEmpty) this.close(name);
  }

  private close(written: string): void {
    const name = written.trimEnd();
    if (this.elements.pop() !== name) throw new XmlProblem(`"${name.slice(0, 100)}" ends where it has not begun.`);
    this.handler.close?.(withoutPrefix(name));
  }

  private readAside(text: string, begin: number): number {
    for (const [opening, closing] of [COMMENT, CDATA, INSTRUCTION]) {
      if (!text.startsWith(opening, begin)) continue;
      const end = text.indexOf(closing, begin + opening.length);
      if (end < 0) return -1;
      if (opening === CDATA[0]) this.handler.text?.(text.slice(begin + opening.length, end));
      return end + closing.length;
    }
    if (text.length - begin < CDATA[0].length) return -1;
    throw unreadable(this.file, 'The spreadsheet declares entities, which is not allowed.');
  }

  private refuse(reason: string): Error {
    return unreadable(this.file, `This is no spreadsheet that can be read: in ${this.part}, ${reason}`);
  }
}
