import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { cancelExportJob, createExportJob, retryExportJob } from '#domain/exchange/export-job/export-job.commands.js';
import { assertRoomForJob } from '#domain/exchange/job/job.limits.js';
import { findExportFile } from '#domain/exchange/export-job/export-job.file.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { FileMissing, FileStorage } from '#platform/storage/file-storage.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { FileResponse } from '../../http/files/file-response.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeExport, CreateExport } from './exports.dto.js';

const fileExpired = (): ErrorResponse => new ErrorResponse(410, 'The file of this export has expired. Export again.');

@Injectable()
export class ExportsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly files: FileStorage,
    private readonly settings: Settings,
  ) {
    super(em, reads);
  }

  create(actor: Actor, input: CreateExport, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, async (em) => {
      await assertRoomForJob(em, actor, this.settings.maxUnfinishedJobs);
      return createExportJob(em, actor, input);
    });
  }

  update(actor: Actor, id: string, { status }: ChangeExport, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, async (em) => {
      if (status === 'cancel') return cancelExportJob(em, actor, id);
      await assertRoomForJob(em, actor, this.settings.maxUnfinishedJobs);
      return retryExportJob(em, actor, id);
    });
  }

  /** The ZIP file of a succeeded job. Throws a 404 before that, and a 410 after the file has been deleted. */
  async file(actor: Actor, id: string): Promise<FileResponse> {
    const state = await findExportFile(forkInTransaction(this.em), actor, id);
    if (state === 'none') throw new NotFound();
    if (state === 'expired') throw fileExpired();
    const { key } = state;
    const stored = await this.files.stat(key);
    if (!stored) throw fileExpired();
    const file = { name: `merlon-export-${id}.zip`, type: 'application/zip', ...stored };
    return new FileResponse(file, async (range) => {
      try {
        return await this.files.open(key, range);
      } catch (error) {
        throw error instanceof FileMissing ? fileExpired() : error;
      }
    });
  }
}
