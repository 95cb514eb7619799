import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { formatOfName, unknownFormat } from '#content/import/difference/file-names.js';
import type { Actor } from '#domain/kernel/actor.js';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import {
  acceptImportJob,
  cancelImportJob,
  createImportJob,
  retryImportJob,
} from '#domain/exchange/import-job/import-job.commands.js';
import { assertRoomForJob, assertRoomForUpload } from '#domain/exchange/job/job.limits.js';
import { findDifference } from '#domain/exchange/import-job/import-job.cleanup.js';
import { MAX_FILE_NAME_LENGTH, importFileKey } from '#domain/exchange/import-job/import-job.rules.js';
import { checkChoice } from '#domain/kernel/fields/field-checks.js';
import { Invalid, NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { FileStorage } from '#platform/storage/file-storage.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import type { UploadedForm } from '../../http/files/upload.js';
import type { ListResponse, JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeImport } from './imports.dto.js';
import { IncomingUploads } from './incoming-uploads.js';

const COMMANDS = { accept: acceptImportJob, cancel: cancelImportJob, retry: retryImportJob };

@Injectable()
export class ImportsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly files: FileStorage,
    private readonly settings: Settings,
    private readonly uploads: IncomingUploads,
  ) {
    super(em, reads);
  }

  async create(actor: Actor, form: UploadedForm, readRequest: ReadRequest): Promise<JsonText> {
    const { maxUnfinishedJobs, maxStoredUploadBytes } = this.settings;
    const key = importFileKey(actor.organizationId, randomUUID());
    // Checked before the file arrives, too: files that are rejected later could fill the disk.
    const room = await this.uploads.open(actor);
    try {
      const { fileName, fields, stored } = await form.receive(['model'], (content) =>
        this.files.write(key, room.counted(content)),
      );
      const input = inputOf(fileName, fields.get('model'));
      return await this.createAndRead(readRequest, async (em) => {
        await assertRoomForJob(em, actor, maxUnfinishedJobs);
        await assertRoomForUpload(em, actor, stored.bytes, maxStoredUploadBytes);
        return createImportJob(em, actor, { ...input, fileKey: key, fileBytes: stored.bytes });
      });
    } catch (error) {
      await this.files.remove(key);
      throw error;
    } finally {
      room.close();
    }
  }

  update(actor: Actor, id: string, { status }: ChangeImport, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, async (em) => {
      if (status === 'retry') await assertRoomForJob(em, actor, this.settings.maxUnfinishedJobs);
      await COMMANDS[status](em, actor, id);
    });
  }

  /**
   * The changes that a job would make. Throws a 404 before they are computed, and a 410 after they have been deleted.
   */
  async difference(actor: Actor, id: string, readRequest: ReadRequest): Promise<ListResponse> {
    const em = forkInTransaction(this.em);
    const state = await findDifference(em, actor, id);
    if (state === 'none') throw new NotFound();
    if (state === 'expired') throw new ErrorResponse(410, 'The difference of this import has expired.');
    return this.reads.list(readRequest, em, { ...state });
  }
}

/** The validated fields of the form besides the file. Throws `Invalid`. */
function inputOf(fileName: string, model: string | undefined): { fileName: string; model?: string } {
  const shortenedName = Array.from(fileName.replaceAll('\0', '')).slice(-MAX_FILE_NAME_LENGTH).join('').toWellFormed();
  if (model === undefined || model === '') return { fileName: shortenedName };
  const error = checkChoice(model, CONTENT_MODELS);
  if (error !== undefined) throw new Invalid({ model: [error] });
  if (formatOfName(shortenedName) === undefined) throw new Invalid({ file: [unknownFormat(shortenedName)] });
  return { fileName: shortenedName, model };
}
