import type { ContentModel, ExportType, FileFormat } from '#domain/exchange/job/content-models.js';

/** The parameters of an export. */
export interface ExportRequest {
  readonly organizationId: number;
  readonly type: ExportType;
  readonly fileFormat: FileFormat;
  readonly contentModels: readonly ContentModel[];
}
