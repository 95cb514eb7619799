import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server that implements the part of the S3 protocol that storages use, with its objects in memory. */
export interface FakeBucket {
  /** A `STORAGE_URL` for it. */
  readonly url: string;
  /** The complete objects, by key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Multipart uploads that were neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, readonly (Buffer | undefined)[]>;
  /** Sets the time at which an object was written. */
  date(key: string, writtenAt: Date): void;
  /** The number of requests to write something that have arrived completely. */
  readonly receivedWrites: number;
  /** Makes every further request fail with this error; null restores normal operation. */
  rejectWith(error: { status: number; code: string } | null): void;
  /** Receives further requests, but answers them only when the promise is fulfilled. */
  hold(until: Promise<void>): void;
  /** Completes further multipart uploads with an empty ETag, as Ceph 16 does. */
  withholdEtags(): void;
  stop(): Promise<void>;
}

const ACCESS_KEY = 'test-key';

const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`;

const sendXml = (response: ServerResponse, body: string, status = 200): void =>
  void response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`);

const sendError = (response: ServerResponse, status: number, code: string): void =>
  sendXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);

class Objects {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, (Buffer | undefined)[]>();
  /** Times that were set by `date`. */
  readonly writtenAt = new Map<string, Date>();
  rejection: { status: number; code: string } | null = null;
  withholdsEtags = false;
  receivedWrites = 0;
  held: Promise<void> = Promise.resolve();

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket, ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const body = await buffer(request);
    if (request.method === 'POST' || request.method === 'PUT') this.receivedWrites += 1;
    await this.held;
    if (this.rejection) return sendError(response, this.rejection.status, this.rejection.code);
    if (!request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`))
      return sendError(response, 403, 'InvalidAccessKeyId');
    if (bucket !== 'files') return sendError(response, 404, 'NoSuchBucket');
    const upload = url.searchParams.get('uploadId');
    if (request.method === 'POST')
      return upload === null ? this.begin(response) : this.complete(response, key, upload, body.toString());
    if (request.method === 'PUT') return this.put(response, key, body, upload, url.searchParams.get('partNumber'));
    if (request.method === 'DELETE') {
      if (upload === null) this.objects.delete(key);
      else this.uploads.delete(upload);
      return void response.writeHead(204).end();
    }
    if (url.searchParams.get('list-type') === '2') return this.list(response, url.searchParams);
    return this.get(request, response, key);
  }

  /** Returns pages of two objects, so that clients must request several pages. */
  private list(response: ServerResponse, query: URLSearchParams): void {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const first = Number(query.get('continuation-token') ?? 0);
    const contents = keys.slice(first, first + 2).map((key) => {
      const modified = (this.writtenAt.get(key) ?? new Date()).toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
    });
    const more = first + 2 < keys.length;
    const next = more ? `<NextContinuationToken>${first + 2}</NextContinuationToken>` : '';
    sendXml(
      response,
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }

  private begin(response: ServerResponse): void {
    const id = randomUUID();
    this.uploads.set(id, []);
    sendXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  private put(response: ServerResponse, key: string, body: Buffer, upload: string | null, part: string | null): void {
    if (upload === null) this.objects.set(key, body);
    else {
      const parts = this.uploads.get(upload);
      if (!parts) return sendError(response, 404, 'NoSuchUpload');
      parts[Number(part) - 1] = body;
    }
    response.writeHead(200, { ETag: etagOf(body) }).end();
  }

  private complete(response: ServerResponse, key: string, upload: string, list: string): void {
    const parts = this.uploads.get(upload);
    if (!parts) return sendError(response, 404, 'NoSuchUpload');
    const listedParts = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => parts[Number(n) - 1]);
    const valid =
      listedParts.length === parts.length &&
      listedParts.slice(0, -1).every((part) => (part?.length ?? 0) >= 5 * 2 ** 20);
    if (!valid) return sendError(response, 400, 'InvalidPart');
    const content = Buffer.concat(listedParts.filter((part) => part !== undefined));
    this.uploads.delete(upload);
    this.objects.set(key, content);
    const etag = this.withholdsEtags ? '' : etagOf(content);
    sendXml(response, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
  }

  private get(request: IncomingMessage, response: ServerResponse, key: string): void {
    const object = this.objects.get(key);
    if (!object)
      return request.method === 'HEAD' ? void response.writeHead(404).end() : sendError(response, 404, 'NoSuchKey');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const content = from === undefined ? object : object.subarray(Number(from), Number(to) + 1);
    response.writeHead(from === undefined ? 200 : 206, { 'Content-Length': content.length, ETag: etagOf(object) });
    response.end(request.method === 'HEAD' ? undefined : content);
  }
}

/** Starts an empty bucket `files`. */
export async function startFakeBucket(): Promise<FakeBucket> {
  const objects = new Objects();
  const server: Server = createServer((request, response) => {
    objects.answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://${ACCESS_KEY}:test%2Fsecret@127.0.0.1:${port}/files/merlon?region=eu-test-1&tls=false`,
    objects: objects.objects,
    uploads: objects.uploads,
    get receivedWrites() {
      return objects.receivedWrites;
    },
    date: (key, writtenAt) => void objects.writtenAt.set(key, writtenAt),
    rejectWith: (error) => (objects.rejection = error),
    hold: (until) => {
      objects.held = until;
    },
    withholdEtags: () => (objects.withholdsEtags = true),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
