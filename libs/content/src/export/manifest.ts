import type { ContentModel, ExportType, FileFormat } from '#domain/exchange/job/content-models.js';

/** Describes the other files of an archive. It is the last one, because it contains their checksums. */
export const MANIFEST_FILE = 'manifest.json';

/** Increases if a reader of an older version would misread the format. */
export const FORMAT_VERSION = 1;

export const PRODUCT = 'Merlon';

/** The content of `manifest.json`. */
export interface Manifest {
  readonly format_version: number;
  readonly product: string;
  readonly type: ExportType;
  readonly file_format: FileFormat;
  readonly created: string;
  readonly content_models: readonly ManifestEntry[];
}

/** A file of the archive; `sha256` is the hash of the uncompressed file in hexadecimal. */
export interface ManifestEntry {
  readonly model: ContentModel;
  readonly file: string;
  readonly rows: number;
  readonly sha256: string;
}
