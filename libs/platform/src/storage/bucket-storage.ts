import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type ByteRange, checkKey, FileMissing, type FileStorage, isKey } from './file-storage.js';
import { unlessAborted } from '../unless-aborted.js';
import { StorageFailure, StorageFull, type StoredFile } from './file-storage.js';

/** How to reach an S3-compatible bucket. Without credentials, the role of the machine is used. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The prefix of every key, with its trailing slash. */
  readonly prefix: string;
}

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

/** Size of a part, which is kept in memory for retries. A file has up to 10,000 parts: 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

const MESSAGES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'The storage bucket does not exist.',
  Forbidden: 'The storage bucket denies access.',
  AccessDenied: 'The storage bucket denies access.',
  InvalidAccessKeyId: 'The storage bucket does not accept the access key.',
  SignatureDoesNotMatch: 'The storage bucket does not accept the secret key.',
};

const FULL = ['QuotaExceeded', 'XMinioStorageFull'];

/**
 * Stores files in a bucket. A multipart upload is invisible until it is completed, so that files are published
 * atomically.
 */
export class BucketStorage implements FileStorage {
  private readonly client: S3Client;

  constructor(private readonly bucket: Bucket) {
    const { region, endpoint, credentials } = bucket;
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle: true,
      ...(credentials && { credentials }),
      // Some compatible servers do not support the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 5000, requestTimeout: 60_000 },
    });
  }

  async write(key: string, content: Readable, signal?: AbortSignal): Promise<StoredFile> {
    let bytes = 0;
    let sourceError: Error | undefined;
    // The intermediate stream lets an abort end the upload at once, even if the source takes long to end.
    const body = new PassThrough();
    content.once('error', (error: Error) => {
      if (!body.destroyed) sourceError = error;
    });
    pipeline(content, body).catch(() => undefined); // the upload reports its errors
    const upload = new Upload({
      client: this.client,
      params: { ...this.target(key), Body: body },
      partSize: PART_BYTES,
      queueSize: 1,
    });
    upload.on('httpUploadProgress', ({ loaded = 0 }) => (bytes = loaded));
    try {
      const { ETag } = await unlessAborted(upload.done(), signal);
      // Ceph 16 returns an empty ETag for multipart uploads.
      return { bytes, etag: ETag || ((await this.stat(key))?.etag ?? '') };
    } catch (error) {
      // The library removes the parts in the background. If that fails, the bucket's lifecycle rule for incomplete
      // uploads removes them.
      void upload.abort();
      body.destroy();
      signal?.throwIfAborted();
      // The source's own error is more important than an error of the bucket.
      throw sourceError ?? failure(error);
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...this.target(key), ...(Range && { Range }) });
    try {
      const { Body } = await this.client.send(command);
      // In Node the body is a stream; the type includes browsers too.
      return Body as Readable;
    } catch (error) {
      throw isMissing(error) ? new FileMissing(key) : failure(error);
    }
  }

  async stat(key: string): Promise<StoredFile | null> {
    const command = new HeadObjectCommand(this.target(key));
    try {
      const { ContentLength, ETag } = await this.client.send(command);
      return { bytes: ContentLength ?? 0, etag: ETag ?? '' };
    } catch (error) {
      if (isMissing(error)) return null;
      throw failure(error);
    }
  }

  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.target(key));
    try {
      await this.client.send(command);
    } catch (error) {
      if (!isMissing(error)) throw failure(error);
    }
  }

  async *list(folder: string, before: Date): AsyncGenerator<readonly string[], void, undefined> {
    const { name, prefix } = this.bucket;
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: name,
        Prefix: `${prefix}${checkKey(folder)}/`,
        ...(token !== undefined && { ContinuationToken: token }),
      });
      const page = await this.client.send(command).catch((error: unknown) => {
        throw failure(error);
      });
      const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified && LastModified < before);
      const keys = old.map(({ Key = '' }) => Key.slice(prefix.length)).filter(isKey);
      if (keys.length) yield keys;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  private target(key: string): Target {
    return { Bucket: this.bucket.name, Key: this.bucket.prefix + checkKey(key) };
  }
}

/** A HEAD response has no body that explains what is missing; a missing bucket is reported by all other requests. */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);

const failure = (error: unknown): StorageFailure => {
  if (error instanceof StorageFailure) return error;
  if (error instanceof Error && FULL.includes(error.name))
    return new StorageFull('The storage bucket is full.', { cause: error });
  const unknown =
    error instanceof S3ServiceException
      ? 'The storage bucket cannot be used.'
      : 'The storage bucket cannot be reached.';
  return new StorageFailure(MESSAGES[error instanceof Error ? error.name : ''] ?? unknown, { cause: error });
};
