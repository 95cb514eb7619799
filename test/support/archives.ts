import { type CellValue, parseCsv } from 'hucre/csv';
import JSZip from 'jszip';
import { parse } from 'yaml';

/** A file of an export, read with other libraries than those that wrote it. */
export interface ReadFile {
  readonly columns: readonly string[];
  /** JSON values; in CSV and XLSX, every cell is a string, a number, a boolean, or null if it is empty. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Opens an archive and checks the checksums of its files. */
export const openArchive = (archive: Uint8Array): Promise<JSZip> => JSZip.loadAsync(archive, { checkCRC32: true });

function objects([names = [], ...rows]: readonly (readonly unknown[])[]): ReadFile {
  const columns = names.map(String);
  return { columns, rows: rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n] ?? null]))) };
}

function readCsv(content: Buffer): ReadFile {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  const rows: CellValue[][] = parseCsv(text, { delimiter: ',' });
  return objects(rows);
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
    )
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const columnOf = (reference: string): number =>
  [...reference.replace(/\d+$/, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

async function readXlsx(content: Buffer): Promise<ReadFile & { readonly sheet: string }> {
  const sheet = (await (await openArchive(content)).file('xl/worksheets/sheet1.xml')?.async('string')) ?? '';
  const rows = Array.from(sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs), ([, row = '']) => {
    const cells: unknown[] = [];
    for (const [, reference = '', type, inner = ''] of row.matchAll(
      /<c r="([A-Z]+\d+)"(?:[^>]*? t="(\w+)")?[^>]*>(.*?)<\/c>/gs,
    )) {
      const value = /<[tv](?: [^>]*)?>(.*?)<\/[tv]>/s.exec(inner)?.[1] ?? '';
      cells[columnOf(reference)] =
        type === 'inlineStr' ? unescapeXml(value) : type === 'b' ? value === '1' : Number(value);
    }
    return cells;
  });
  return { ...objects(rows), sheet };
}

/** Reads a file of an export in any format. */
export async function readExportFile(archive: JSZip, name: string): Promise<ReadFile> {
  const content = await archive.file(name)?.async('nodebuffer');
  if (!content) throw new Error(`The archive does not contain ${name}.`);
  if (name.endsWith('.csv')) return readCsv(content);
  if (name.endsWith('.xlsx')) return readXlsx(content);
  return name.endsWith('.json') ? JSON.parse(content.toString()) : parse(content.toString(), { maxAliasCount: 0 });
}
