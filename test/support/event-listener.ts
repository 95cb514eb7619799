/** An event, or a comment by its text. */
export interface ReceivedEvent {
  readonly type: string;
  readonly id?: string;
  readonly data: {
    id?: number;
    name?: string;
    kinds?: string[];
    project?: number | null;
    kind?: string;
    status?: string | null;
    data?: { project?: number; reason?: string };
  };
}

/** The events and comments in a part of a stream. */
function parsed(text: string): ReceivedEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
        }),
      );
      const id = fields.get('id');
      const type = fields.get('event') ?? fields.get('') ?? '';
      return {
        type,
        ...(id !== undefined && { id }),
        data: JSON.parse(fields.get('data') ?? '{}') as ReceivedEvent['data'],
      };
    });
}

/** A client of the stream of events. */
export class Listener {
  text = '';
  ended = false;
  private readonly abort = new AbortController();

  constructor(
    private readonly origin: string,
    private readonly headers: Record<string, string>,
  ) {}

  async open(): Promise<Response> {
    const response = await fetch(`${this.origin}/api/v2/events/`, {
      headers: { Accept: 'text/event-stream', ...this.headers },
      signal: this.abort.signal,
    });
    if (response.ok) void this.read(response);
    else await response.text();
    return response;
  }

  get events(): ReceivedEvent[] {
    return parsed(this.text.slice(0, this.text.lastIndexOf('\n\n')));
  }

  get lastId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  close(): void {
    this.abort.abort();
  }

  private async read(response: Response): Promise<void> {
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) this.text += chunk;
    } catch {
      // The test has closed it.
    }
    this.ended = true;
  }
}
