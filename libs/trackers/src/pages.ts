/**
 * A place in a list that is sorted by the time of the last change: everything at or after a time, without the first
 * `skipped`.
 */
interface Place {
  readonly since: Date;
  readonly skipped: number;
}

/** Where a list begins, or continues: `page` is what `nextPage` returned. */
export function placeOf(since: Date, page: string | undefined): Place {
  const [milliseconds, skipped] = (page ?? '').split('/').map(Number);
  if (!Number.isSafeInteger(milliseconds) || !Number.isSafeInteger(skipped)) return { since, skipped: 0 };
  return { since: new Date(milliseconds ?? 0), skipped: skipped ?? 0 };
}

/**
 * The page that follows. A list moves while it is read: what changes goes to its end, and what follows moves up. So the
 * next page begins at the time of the last item; only items with one and the same time are counted.
 *
 * @param place where this page began
 * @param size the number of items of a full page
 * @param times when the items of this page changed
 * @param precision the milliseconds that the tracker distinguishes in a query
 */
export function nextPage(place: Place, size: number, times: readonly Date[], precision: number): string | undefined {
  const last = times.at(-1)?.getTime();
  if (last === undefined || times.length < size) return undefined;
  const start = Math.floor(last / precision) * precision;
  return start > place.since.getTime() ? `${start}/0` : `${place.since.getTime()}/${place.skipped + times.length}`;
}
