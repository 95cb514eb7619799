import { type Answer, ApiClient, type Json, type RequestOptions } from '../support/client.js';

/** A request that was recorded instead of sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly options: RequestOptions;
  /** Sends it, with other options if they are given. */
  readonly send: (change?: { readonly body?: unknown; readonly raw?: string | Buffer }) => Promise<Answer>;
}

/** A client that can record a request instead of sending it. */
export class NotingClient extends ApiClient {
  constructor(
    private readonly speaker: ApiClient,
    private readonly notes: { isRecording: boolean; recorded?: RecordedRequest } = { isRecording: false },
  ) {
    super('', () => undefined);
  }

  override as(token: string | null): ApiClient {
    return new NotingClient(this.speaker.as(token), this.notes);
  }

  override with(headers: Parameters<ApiClient['with']>[0]): ApiClient {
    return new NotingClient(this.speaker.with(headers), this.notes);
  }

  override send<Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    if (!this.notes.isRecording) return this.speaker.send<Body>(method, path, body, options);
    this.notes.recorded = {
      method,
      path,
      body,
      options,
      send: ({ body: changed = body, raw = options.raw } = {}) =>
        this.speaker.send(method, path, changed, { ...options, ...(raw !== undefined && { raw }) }),
    };
    const nothing = { method, path, status: 0, headers: {}, text: '', body: undefined };
    return Promise.resolve(nothing as unknown as Answer<Body>);
  }

  /** Records the single request of `action` without sending it. */
  async note(action: () => Promise<unknown>): Promise<RecordedRequest> {
    delete this.notes.recorded;
    this.notes.isRecording = true;
    try {
      await action();
    } finally {
      this.notes.isRecording = false;
    }
    if (!this.notes.recorded) throw new Error('No request was made.');
    return this.notes.recorded;
  }
}
