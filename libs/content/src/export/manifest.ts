import type { ContentModel, ExportType, FileFormat } from '#domain/exchange/job/content-models.js';

/** The file of an archive that says what the others are; the last one, since it holds their checksums. */
export const MANIFEST_FILE = 'manifest.json';

/** Moves when a reader of the older form could get the newer one wrong. */
export const FORMAT_VERSION = 1;

export const PRODUCT = 'Merlon';

/** What `manifest.json` holds. */
export interface Manifest {
  readonly format_version: number;
  readonly product: string;
  readonly type: ExportType;
  readonly file_format: FileFormat;
  readonly created: string;
  readonly content_models: readonly ManifestEntry[];
}

/** One file of the archive; `sha256` is that of the file's own bytes, in hexadecimal digits. */
export interface ManifestEntry {
  readonly model: ContentModel;
  readonly file: string;
  readonly rows: number;
  readonly sha256: string;
}
