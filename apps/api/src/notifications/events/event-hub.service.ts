import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { forkOutsideTransaction } from '#domain/kernel/transaction.js';
import { EVERYTHING, eventsFor } from '#domain/notifications/event-stream/events.js';
import { type EventPosition, parsePosition } from '#domain/notifications/event-stream/event-position.js';
import {
  currentPosition,
  type NewActivity,
  readNewActivities,
  visibleProjectsOf,
} from '#domain/notifications/event-stream/read-new-activities.js';
import { FairSlots } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import { InvalidValue } from '#query/errors.js';
import { Authentication } from '../../http/access/authentication.service.js';
import { ErrorResponse, notAuthenticated, throttled } from '../../http/errors/error-response.js';
import { OpenStream } from '../../http/listing/responses.js';
import type { ApiRequest } from '../../http/request.js';
import { EVENT_STREAM_TYPE, EventStream, MAX_STREAMS_OF_USER } from './event-stream.js';

/** How often new activities are read, and credentials are checked. */
const TURN_MILLISECONDS = 1000;

/** A client that was away for longer reads everything again. */
const MAX_REPLAY_MILLISECONDS = 3_600_000;

/** Value of `Retry-After` if a user has too many streams. */
const RETRY_SECONDS = 30;

function positionOf(request: ApiRequest): EventPosition | undefined {
  const id = request.get('last-event-id');
  if (id === undefined || id === '') return undefined;
  try {
    return parsePosition(id);
  } catch (error) {
    if (error instanceof InvalidValue) throw new ErrorResponse(400, `"Last-Event-ID": ${error.message}`);
    throw error;
  }
}

/**
 * Sends events to all open streams of this process. While there are any, it reads the new activities of their
 * organizations once a second, and sends each client what its user may see at that time. Streams end with their session
 * or token.
 */
@Injectable()
export class EventHub {
  private readonly streams = new Set<EventStream>();
  private readonly slots: FairSlots;
  private readonly log = new Logger(EventHub.name);
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;
  private isStopped = false;

  constructor(
    private readonly em: EntityManager,
    private readonly authentication: Authentication,
    private readonly settings: Settings,
  ) {
    this.slots = new FairSlots({ slots: settings.maxEventStreams, waitMilliseconds: 0, queueLength: 0 });
  }

  /** Opens a stream for the caller of a request. Throws a 429 if they, or all together, have too many. */
  async open(request: ApiRequest): Promise<OpenStream> {
    const { actor, token } = request;
    if (!actor) throw notAuthenticated();
    const since = positionOf(request);
    const own = [...this.streams].filter(({ caller }) => caller.id === actor.id);
    if (own.length >= MAX_STREAMS_OF_USER) throw throttled(RETRY_SECONDS);
    const release = this.slots.acquireNow(actor.organizationId);
    const stream = new EventStream({ actor, ...(token && { token }) });
    this.streams.add(stream);
    stream.source.once('close', () => {
      this.streams.delete(stream);
      release();
    });
    try {
      const now = await currentPosition(forkOutsideTransaction(this.em));
      const isRecent = since !== undefined && now.at - since.at < MAX_REPLAY_MILLISECONDS;
      stream.begin(isRecent ? since : now);
      if (since && !isRecent) stream.send([EVERYTHING], now);
    } catch (error) {
      stream.source.destroy();
      throw error;
    }
    // A request for the headers alone has no events to wait for.
    if (request.method === 'HEAD' || this.isStopped) stream.end();
    this.timer ??= setTimeout(() => void this.turn(), TURN_MILLISECONDS);
    return new OpenStream(EVENT_STREAM_TYPE, stream.source);
  }

  /** Ends all streams: otherwise the shutdown would wait for them. */
  endAll(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const stream of this.streams) stream.end();
  }

  private async turn(): Promise<void> {
    try {
      await this.endFinished();
      await this.sendNews();
      this.isFailing = false;
    } catch (error) {
      // Positions stay as they are, so nothing is lost; only the first failure is logged.
      if (!this.isFailing) this.log.warn(error);
      this.isFailing = true;
    }
    this.timer =
      this.streams.size && !this.isStopped ? setTimeout(() => void this.turn(), TURN_MILLISECONDS) : undefined;
  }

  /** Ends streams whose time is over, or whose credentials no longer work. */
  private async endFinished(): Promise<void> {
    const longest = this.settings.eventStreamSeconds * 1000;
    await Promise.all(
      Array.from(this.streams, async (stream) => {
        const caller =
          performance.now() - stream.openedAt < longest ? await this.authentication.callerNow(stream.principal) : null;
        if (caller) stream.caller = caller;
        else stream.end();
      }),
    );
  }

  private async sendNews(): Promise<void> {
    const open = [...this.streams].filter(({ position, source }) => position && !source.readableEnded);
    if (!open.length) return;
    const em = forkOutsideTransaction(this.em);
    const until = await currentPosition(em);
    // Most streams are at the same position: that of the last turn.
    const groups = Map.groupBy(open, ({ position }) => position?.snapshot ?? '');
    for (const group of groups.values()) {
      const [first] = group;
      if (!first?.position) continue;
      const organizations = [...new Set(group.map(({ caller }) => caller.organizationId))];
      const activities = await readNewActivities(em, organizations, first.position, until);
      for (const stream of group) await this.sendTo(em, stream, activities, until);
    }
  }

  private async sendTo(
    em: EntityManager,
    stream: EventStream,
    activities: readonly NewActivity[] | undefined,
    until: EventPosition,
  ): Promise<void> {
    const { caller } = stream;
    if (!activities) return stream.send([EVERYTHING], until);
    const own = activities.filter(({ organization }) => organization === caller.organizationId);
    if (!own.length) return stream.send([], until);
    stream.send(eventsFor(caller, own, await visibleProjectsOf(em, caller, own)), until);
  }
}
