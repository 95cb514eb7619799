import type { XmlHandler } from './xml-reader.js';

/** A text as it is meant: characters that XML can't have are written as their number, such as `_x0001_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** The text of a cell, or one that cells share: a single one, or runs that are formatted each in its own way. */
export class SheetText implements XmlHandler {
  /** What was read since it was cleared. */
  whole = '';
  private run: string | undefined;
  private isPhonetic = false;

  clear(): void {
    this.whole = '';
  }

  open(name: string): void {
    if (name === 't') this.run = '';
    else if (name === 'rPh') this.isPhonetic = true;
  }

  text(text: string): void {
    if (this.run !== undefined) this.run += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false;
    if (name !== 't') return;
    // How something is pronounced stands beside it.
    if (!this.isPhonetic) this.whole += unescaped(this.run ?? '');
    this.run = undefined;
  }
}
