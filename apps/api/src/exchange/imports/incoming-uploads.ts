import { type Readable, Transform } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { assertRoomForJob, assertRoomForUpload, uploadQuotaExceeded } from '#domain/exchange/job/job.limits.js';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';

/** The room of an organization while one of its files is received. */
interface UploadRoom {
  /** The same bytes. The stream fails with `QuotaExceeded` when the organization's uploads take up too much. */
  counted(content: Readable): Readable;
  close(): void;
}

/**
 * Counts the bytes of files that this process is receiving, which no import job knows yet, against the quota of their
 * organization: otherwise concurrent uploads could fill the disk before the first one is complete.
 */
@Injectable()
export class IncomingUploads {
  private readonly incomingBytes = new Map<number, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  /** Throws `TooMuchWaiting` or `QuotaExceeded` if the organization's limits are reached before the file arrives. */
  async open(actor: Actor): Promise<UploadRoom> {
    const { organizationId } = actor;
    const { maxUnfinishedJobs, maxStoredUploadBytes } = this.settings;
    const stored = await inTransaction(this.em, actor, async (em) => {
      await assertRoomForJob(em, actor, maxUnfinishedJobs);
      return assertRoomForUpload(em, actor, 1, maxStoredUploadBytes);
    });
    let received = 0;
    const count = (bytes: number): number => {
      const total = (this.incomingBytes.get(organizationId) ?? 0) + bytes;
      if (total === 0) this.incomingBytes.delete(organizationId);
      else this.incomingBytes.set(organizationId, total);
      received += bytes;
      return stored + total;
    };
    return {
      counted: (content) => {
        const counter = new Transform({
          transform: (chunk: Buffer, _encoding, done) => {
            if (count(chunk.length) > maxStoredUploadBytes) done(uploadQuotaExceeded(maxStoredUploadBytes));
            else done(null, chunk);
          },
        });
        content.once('error', (error) => counter.destroy(error));
        return content.pipe(counter);
      },
      close: () => void count(-received),
    };
  }
}
