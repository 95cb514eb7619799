import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type FileInfo } from 'busboy';
import { type FieldErrors, Invalid } from '#domain/kernel/domain-errors.js';
import { ErrorResponse } from '../errors/error-response.js';

export const MULTIPART = 'multipart/form-data';

/** The default name of the form field with the file. */
const FILE = 'file';
/** Generous limits for the parts of a form besides the file. */
const LIMITS = { fields: 20, fieldNameSize: 200, fieldSize: 1000, files: 4, parts: 24 };
/** Maximum number of bytes of a form besides the file: names, boundaries, other fields. */
const OVERHEAD = 64 * 1024;

/** The contents of a form. */
export interface ReceivedForm<Stored> {
  readonly fileName: string;
  readonly stored: Stored;
  readonly fields: ReadonlyMap<string, string>;
}

/** A form with one file that has not been read yet. */
export class UploadedForm {
  constructor(
    private readonly request: IncomingMessage,
    /** Whether unknown fields are rejected. */
    private readonly strict: boolean,
    /** Receives the names of unknown fields that are ignored. */
    private readonly ignored: Set<string>,
    private readonly limit: number,
  ) {}

  /** Throws a 413 if the announced length is too large. */
  assertAnnouncedSize(): void {
    if (Number(this.request.headers['content-length'] ?? 0) > this.limit + OVERHEAD) throw this.tooLarge();
  }

  /**
   * Reads the form, and passes the file to `store` as a stream. Throws a 400 if the form is not valid, and a 413 if the
   * file is too large. The caller must remove a stored file after an error.
   *
   * @param fieldNames names of further fields that the form may have
   * @param fileField name of the field with the file
   */
  async receive<Stored extends { readonly bytes: number }>(
    fieldNames: readonly string[],
    store: (content: Readable) => Promise<Stored>,
    fileField = FILE,
  ): Promise<ReceivedForm<Stored>> {
    const form = new Form(fieldNames, store, fileField);
    await this.parse(form);
    const { fileName, stored, fields, errors } = await form.end();
    for (const name of form.unknownFields)
      if (this.strict) errors[name] ??= ['This field is unknown.'];
      else this.ignored.add(name);
    if (stored && stored.bytes > this.limit) throw this.tooLarge();
    if (!stored) errors[fileField] ??= ['No file was submitted.'];
    else if (stored.bytes === 0) errors[fileField] ??= ['The submitted file is empty.'];
    if (!stored || Object.keys(errors).length) throw new Invalid(errors);
    return { fileName, stored, fields };
  }

  private async parse<Stored>(form: Form<Stored>): Promise<void> {
    const { request } = this;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    try {
      const parser = busboy({
        headers: request.headers,
        // One more byte than the limit, so that a file of exactly the limit is distinguished from a larger one.
        limits: { ...LIMITS, fileSize: this.limit + 1 },
        defParamCharset: 'utf8',
      });
      const onStorageError = (error: unknown): void => reject(error);
      parser
        .on('field', (name, value, { valueTruncated }) => form.field(name, value, valueTruncated))
        .on('file', (name, content, info) =>
          form.file(name, content, info, () => reject(this.tooLarge()), onStorageError),
        )
        .on('partsLimit', () => reject(formError('too many parts')))
        .on('fieldsLimit', () => reject(formError('too many fields')))
        .on('filesLimit', () => reject(formError('too many files')))
        .on('error', (error: Error) => reject(formError(error.message)))
        .on('close', resolve);
      request.once('close', () => {
        if (!request.complete) reject(formError('the connection was closed'));
      });
      request.pipe(parser);
      await promise;
    } catch (error) {
      // Reads and discards the rest: on a persistent connection, the next request follows it.
      request.unpipe().resume();
      await form.abandon(error);
      throw error instanceof ErrorResponse || form.storageFailed ? error : formError((error as Error).message);
    }
  }

  private tooLarge(): ErrorResponse {
    return new ErrorResponse(413, `The file is larger than ${this.limit} bytes.`);
  }
}

const formError = (why: string): ErrorResponse => new ErrorResponse(400, `Multipart form parse error - ${why}`);

/** The parts of a form received so far. */
class Form<Stored> {
  readonly unknownFields = new Set<string>();
  storageFailed = false;
  private readonly fields = new Map<string, string>();
  private readonly errors: FieldErrors = {};
  private fileName = '';
  private content: Readable | undefined;
  private storing: Promise<Stored> | undefined;

  constructor(
    private readonly fieldNames: readonly string[],
    private readonly store: (content: Readable) => Promise<Stored>,
    private readonly fileField: string,
  ) {}

  field(name: string, value: string, truncated: boolean): void {
    if (name === this.fileField) this.errors[this.fileField] ??= ['The submitted data was not a file.'];
    else if (!this.fieldNames.includes(name)) this.unknownFields.add(name);
    else if (this.fields.has(name)) this.errors[name] = ['This field was sent twice.'];
    else if (truncated) this.errors[name] = ['This field is too long.'];
    else this.fields.set(name, value);
  }

  file(
    name: string,
    content: Readable,
    { filename }: FileInfo,
    onTooLarge: () => void,
    onStorageError: (error: unknown) => void,
  ) {
    if (name !== this.fileField) {
      this.unknownFields.add(name);
      content.resume();
    } else if (this.storing) {
      this.errors[this.fileField] = ['Only one file can be submitted.'];
      content.resume();
    } else {
      this.fileName = filename ?? '';
      this.content = content;
      content.once('limit', onTooLarge);
      this.storing = this.store(content);
      this.storing.catch((error: unknown) => {
        this.storageFailed = true;
        onStorageError(error);
      });
    }
  }

  /** Aborts storing the file because of an error. */
  async abandon(reason: unknown): Promise<void> {
    const failedBefore = this.storageFailed;
    this.content?.destroy(reason instanceof Error ? reason : new Error('The form could not be read.'));
    await this.storing?.catch(() => undefined);
    this.storageFailed = failedBefore;
  }

  async end() {
    return {
      fileName: this.fileName,
      stored: await this.storing,
      fields: this.fields,
      errors: this.errors,
    };
  }
}
