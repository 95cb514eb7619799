import { InvalidValue } from '#query/errors.js';

/**
 * A position in the stream of activities: what was committed by then. Ids of activities are not in the order of their
 * commits, so only a snapshot says exactly what a client has not seen yet.
 */
export interface EventPosition {
  /** When it was taken, in milliseconds. */
  readonly at: number;
  /** A `pg_snapshot` as text. */
  readonly snapshot: string;
}

/** A snapshot lists the transactions that are running. */
export const MAX_POSITION_LENGTH = 8192;

const POSITION = /^(\d{1,15})~(\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18}){0,999})?)$/;

/** The text of a position, for `Last-Event-ID`. */
export const positionText = ({ at, snapshot }: EventPosition): string => `${at}~${snapshot}`;

/** Throws `InvalidValue` for anything but the text of a position. */
export function parsePosition(text: string): EventPosition {
  const [, at, snapshot] = POSITION.exec(text.slice(0, MAX_POSITION_LENGTH)) ?? [];
  const [from = 0n, to = 0n, running = []] = snapshotParts(snapshot);
  const isOrdered = running.every(
    (id, index) => id >= from && id < to && (index === 0 || id > (running[index - 1] ?? 0n)),
  );
  if (at === undefined || snapshot === undefined || from < 1n || to < from || !isOrdered)
    throw new InvalidValue('Send the id of an event of this stream.');
  return { at: Number(at), snapshot };
}

function snapshotParts(snapshot = ''): [bigint?, bigint?, bigint[]?] {
  const [from = '', to = '', running = ''] = snapshot.split(':');
  if (from === '' || to === '') return [];
  return [BigInt(from), BigInt(to), running === '' ? [] : running.split(',').map(BigInt)];
}
