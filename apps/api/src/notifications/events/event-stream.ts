import { Readable } from 'node:stream';
import type { StreamEvent } from '#domain/notifications/event-stream/events.js';
import { type EventPosition, positionText } from '#domain/notifications/event-stream/event-position.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { Principal } from '../../http/access/credentials.js';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** How many streams a user may have open at once, such as one for each window of a browser. */
export const MAX_STREAMS_OF_USER = 5;

const HEARTBEAT_MILLISECONDS = 15_000;

/** A client that leaves this much unread is disconnected. It may continue after the last event that it has received. */
const MAX_UNREAD_BYTES = 2 ** 20;

/** One client's stream of server-sent events. */
export class EventStream {
  readonly source = new Readable({ read: () => undefined });
  readonly openedAt = performance.now();
  private heartbeatAt = performance.now();

  /**
   * @param caller as they are now: their permissions may change while the stream is open
   * @param position what the client has received; undefined until the stream has begun
   */
  constructor(
    readonly principal: Principal,
    public caller: Actor = principal.actor,
    public position?: EventPosition,
  ) {}

  /** Sends the id of the position, from which the client would continue. */
  begin(position: EventPosition): void {
    this.position = position;
    this.write(`: connected\nid: ${positionText(position)}\n\n`);
  }

  /**
   * Sends all events up to a position. Only the last one has its id: a client that loses the connection before it
   * receives all of them again.
   */
  send(events: readonly StreamEvent[], position: EventPosition): void {
    this.position = position;
    events.forEach(({ type, data }, index) => {
      const id = index === events.length - 1 ? `id: ${positionText(position)}\n` : '';
      this.write(`${id}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    });
    if (performance.now() - this.heartbeatAt < HEARTBEAT_MILLISECONDS) return;
    this.heartbeatAt = performance.now();
    this.write(`: keep-alive\nid: ${positionText(position)}\n\n`);
  }

  end(): void {
    if (!this.source.destroyed) this.source.push(null);
  }

  private write(text: string): void {
    if (this.source.destroyed || this.source.readableEnded) return;
    if (this.source.readableLength > MAX_UNREAD_BYTES) this.source.destroy();
    else this.source.push(text);
  }
}
