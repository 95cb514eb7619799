import { Badge, Progress } from '@mantine/core';
import { strings } from '../strings.ts';

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's zone. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{dateTime.format(new Date(at))}</time>;
}

export interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

export const nameOf = (person: Person | null | undefined): string =>
  person ? `${person.first_name} ${person.last_name}`.trim() || person.email : strings.automatic;

/** A priority from 1 to 10. */
export function Priority({ value }: { readonly value: number }) {
  const color = value >= 8 ? 'red' : value >= 5 ? 'yellow' : 'gray';
  return (
    <Badge
      className={`priority-${color}`}
      color={color}
      variant="light"
      radius="sm"
      w={34}
      px={0}
      aria-label={strings.priorityOf(value)}
    >
      {value}
    </Badge>
  );
}

const STATUS_COLORS = { TS1: 'green', TS2: 'gray', TS3: 'blue' } as const;

export function StatusBadge({ status }: { readonly status: keyof typeof STATUS_COLORS }) {
  return (
    <Badge className={`status-${status}`} color={STATUS_COLORS[status]} variant="light" radius="sm" tt="none">
      {strings.statuses[status]}
    </Badge>
  );
}

export function Tag({ children }: { readonly children: string }) {
  return (
    <Badge className="tag" variant="default" radius="sm" tt="none" fw={500} size="sm">
      {children}
    </Badge>
  );
}

export interface Counts {
  readonly total: number;
  readonly complete: number;
  readonly not_applicable: number;
}

/** How much of the work is done: what does not apply counts as done. */
export function WorkProgress({ counts, width = 110 }: { readonly counts: Counts; readonly width?: number }) {
  const done = counts.complete + counts.not_applicable;
  const percent = counts.total === 0 ? 0 : Math.floor((100 * done) / counts.total);
  return (
    <span className="row-side">
      <Progress value={percent} w={width} size="sm" aria-label={strings.progressOf(done, counts.total)} />
      {strings.shortProgressOf(done, counts.total)}
    </span>
  );
}
