import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import {
  CONTENT_MODELS,
  type ContentModel,
  EXPORT_TYPES,
  type ExportType,
  FILE_FORMATS,
  type FileFormat,
} from '#domain/exchange/job/content-models.js';
import { FORMAT_VERSION, MANIFEST_FILE } from '../../export/manifest.js';
import { Archive } from '#files/archives/archive.js';
import { formatOfName } from './file-names.js';
import { InvalidFiles, unreadable } from '#files/invalid-files.js';
import { mebibytes } from '#files/limits.js';
import { LIMITS } from '../formats/limits.js';

/** A local file to import. */
export interface ImportSource {
  readonly path: string;
  /** The name that the sender gave it. */
  readonly fileName: string;
  /** The model of a single file; null for an archive. */
  readonly model: ContentModel | null;
}

/** One file of an import. */
export interface SourceFile {
  readonly name: string;
  readonly model: ContentModel;
  readonly format: FileFormat;
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Compares the file with its entry in the manifest, after it was read. Throws `InvalidFiles`. */
  readonly finish: (rows: number) => void;
}

/** The files of an import; a model comes after those that it refers to. They must be closed. */
export interface SourceFiles {
  readonly type: ExportType;
  readonly format: FileFormat;
  readonly files: readonly SourceFile[];
  /** The fraction of all bytes that has been read, from 0 to 1. */
  shareRead(): number;
  close(): void;
}

/** Opens an uploaded file. Throws `InvalidFiles`. */
export async function openSource(source: ImportSource): Promise<SourceFiles> {
  if (source.model !== null) return await oneFile(source, source.model);
  const archive = await Archive.open(source.path, null);
  try {
    return await filesOf(archive);
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function oneFile({ path, fileName }: ImportSource, model: ContentModel): Promise<SourceFiles> {
  const format = formatOfName(fileName);
  if (format === undefined) throw unreadable(fileName, 'The file name does not indicate the format.');
  const { size } = await stat(path);
  // The reader receives the error; until then, nothing else listens.
  const content = createReadStream(path).on('error', () => undefined);
  const file = { name: fileName, model, format, content: () => bounded(fileName, content), finish: () => undefined };
  return {
    type: 'content',
    format,
    files: [file],
    shareRead: () => content.bytesRead / size,
    close: () => content.destroy(),
  };
}

/** Limits a file to the size of an upload. Compressed files have their own limit. */
async function* bounded(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > LIMITS.unpacked) throw unreadable(name, `The file is larger than ${mebibytes(LIMITS.unpacked)}.`);
    yield chunk;
  }
}

interface Listed {
  readonly model: ContentModel;
  readonly file: string;
  readonly rows: number | undefined;
  readonly sha256: string | undefined;
}

async function filesOf(archive: Archive): Promise<SourceFiles> {
  const { type, format, listed } = await readManifest(archive);
  const unexpected = archive.names.filter(
    (name) => name !== MANIFEST_FILE && !listed.some(({ file }) => file === name),
  );
  const missing = listed.filter(({ file }) => !archive.has(file));
  const errors = [
    ...unexpected.map((file) => `The archive's entry ${JSON.stringify(file)} is not listed in ${MANIFEST_FILE}.`),
    ...missing.map(({ file }) => `${MANIFEST_FILE} lists "${file}", which is not in the archive.`),
  ];
  if (errors.length)
    throw new InvalidFiles(errors.map((details) => ({ file: MANIFEST_FILE, row: null, field: null, details })));
  const modelIndex = ({ model }: Listed): number => CONTENT_MODELS.indexOf(model);
  const size = listed.reduce((sum, { file }) => sum + archive.sizeOf(file), 0);
  let read = 0;
  const count = (bytes: number): void => void (read += bytes);
  return {
    type,
    format,
    files: listed
      .toSorted((a, b) => modelIndex(a) - modelIndex(b))
      .map((entry) => archived(archive, entry, format, count)),
    shareRead: () => read / size,
    close: () => archive.close(),
  };
}

/** @param count called with the number of bytes of each chunk that is read */
function archived(
  archive: Archive,
  { model, file, rows, sha256 }: Listed,
  format: FileFormat,
  count: (bytes: number) => void,
): SourceFile {
  const hash = createHash('sha256');
  return {
    name: file,
    model,
    format,
    content: async function* () {
      for await (const chunk of archive.read(file)) {
        hash.update(chunk);
        count(chunk.length);
        yield chunk;
      }
    },
    finish: (rowCount) => {
      if (sha256 !== undefined && hash.digest('hex') !== sha256.toLowerCase())
        throw unreadable(
          file,
          `The file's checksum does not match ${MANIFEST_FILE}. If the file was edited, remove "sha256" and "rows".`,
        );
      if (rows !== undefined && rows !== rowCount)
        throw unreadable(file, `The row count, ${rowCount}, does not match ${MANIFEST_FILE}: ${rows}.`);
    },
  };
}

/** For those who send a spreadsheet as if it were an archive: .xlsx is a ZIP archive, too. */
const ONE_MODEL = 'To import a workbook or another file with one model, send its name as "model".';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const oneOf = <const Word extends string>(values: readonly Word[], value: unknown): Word | undefined =>
  values.find((candidate) => candidate === value);

async function readManifest(
  archive: Archive,
): Promise<{ type: ExportType; format: FileFormat; listed: readonly Listed[] }> {
  const invalid = (details: string) => unreadable(MANIFEST_FILE, details);
  if (!archive.has(MANIFEST_FILE)) throw unreadable(null, `The archive has no ${MANIFEST_FILE}. ${ONE_MODEL}`);
  if (archive.sizeOf(MANIFEST_FILE) > LIMITS.manifest)
    throw invalid(`The manifest is larger than ${mebibytes(LIMITS.manifest)}.`);
  const bytes = await buffer(Readable.from(archive.read(MANIFEST_FILE)));
  const manifest = parseJson(bytes, invalid);
  if (!isObject(manifest)) throw invalid('The manifest must be an object.');
  const { format_version: version, content_models: models } = manifest;
  if (version !== FORMAT_VERSION)
    throw invalid(
      `This release supports "format_version" ${FORMAT_VERSION}, not ${JSON.stringify(version)?.slice(0, 50)}.`,
    );
  const type = oneOf(EXPORT_TYPES, manifest.type);
  if (type === undefined) throw invalid(`"type" must be one of ${EXPORT_TYPES.join(', ')}.`);
  const format = oneOf(FILE_FORMATS, manifest.file_format);
  if (format === undefined) throw invalid(`"file_format" must be one of ${FILE_FORMATS.join(', ')}.`);
  if (!Array.isArray(models) || !models.length) throw invalid('"content_models" must be a non-empty list.');
  const listed = (models as unknown[]).map((entry) => listedOf(entry, format, invalid));
  if (new Set(listed.map(({ model }) => model)).size < listed.length)
    throw invalid('"content_models" lists a model twice.');
  return { type, format, listed };
}

function parseJson(bytes: Buffer, invalid: (details: string) => InvalidFiles): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw invalid('The manifest is not JSON in UTF-8.');
  }
}

function listedOf(entry: unknown, format: FileFormat, invalid: (details: string) => InvalidFiles): Listed {
  if (!isObject(entry)) throw invalid('"content_models" must be a list of objects.');
  const model = oneOf(CONTENT_MODELS, entry.model);
  if (model === undefined) throw invalid(`Unknown model: ${JSON.stringify(entry.model)?.slice(0, 100)}.`);
  const { file = `${model}.${format}`, rows, sha256 } = entry;
  if (file !== `${model}.${format}`) throw invalid(`The file of "${model}" must be "${model}.${format}".`);
  if (rows !== undefined && !Number.isInteger(rows)) throw invalid(`"rows" of "${model}" must be a whole number.`);
  if (sha256 !== undefined && (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)))
    throw invalid(`"sha256" of "${model}" must be 64 hexadecimal digits.`);
  return { model, file, rows: rows as number | undefined, sha256 };
}
