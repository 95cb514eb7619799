import { Badge, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings.ts';

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

export const formatNumber = (value: number): string => number.format(value);

/** A time in the reader's zone. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{dateTime.format(new Date(at))}</time>;
}

export interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

/** The id of an item that may be expanded; empty if there is none. */
export const idOf = (item: number | string | { readonly id: number | string } | null): string =>
  String((typeof item === 'object' ? item?.id : item) ?? '');

export const nameOf = (person: Person | null | undefined): string =>
  person ? `${person.first_name} ${person.last_name}`.trim() || person.email : strings.automatic;

/** A priority from 1 to 10, or another level with its own label. */
export function Priority({
  value,
  label = strings.priorityOf(value),
}: {
  readonly value: number;
  readonly label?: string;
}) {
  const color = value >= 8 ? 'red' : value >= 5 ? 'yellow' : 'gray';
  return (
    <Badge className={`priority-${color}`} color={color} variant="light" radius="sm" w={34} px={0} aria-label={label}>
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

/** The classes of states: their colors have enough contrast. */
const TONES = { good: 'status-TS1', neutral: 'status-TS2', warning: 'priority-yellow', bad: 'priority-red' } as const;

/** A state in a word or two. */
export function StateBadge({ tone, children }: { readonly tone: keyof typeof TONES; readonly children: string }) {
  return (
    <Badge className={TONES[tone]} variant="light" radius="sm" tt="none">
      {children}
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
      <span className="progress-count">{strings.shortProgressOf(done, counts.total)}</span>
    </span>
  );
}

/** How far work that goes on is. */
export function JobProgress({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}) {
  return <Progress value={total === 0 ? 0 : (100 * done) / total} w={140} size="sm" aria-label={label} />;
}

/** What has a meaning in a sentence of the API: escaped characters, marks of names and links, and what is between. */
const TOKEN = /\\[^\w\s]|\]\(|[*[\])\\]|[^*[\])\\]+/g;

type Place = 'text' | 'name' | 'label' | 'path';

const isOwnPath = (path: string): boolean => /^\/(?!\/)/.test(path);

/** A sentence of the API: names are between asterisks, and links lead to pages of the service. All else is text. */
export function Sentence({ text, base }: { readonly text: string; readonly base: string }) {
  const parts: ReactNode[] = [];
  let within = 'text' as Place;
  let read = '';
  let label = '';
  const end = (next: Place, part: ReactNode): void => {
    parts.push(part);
    within = next;
    read = '';
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '*' && within === 'text') end('name', read);
    else if (token === '*' && within === 'name') end('text', <strong key={index}>{read}</strong>);
    else if (token === '[' && within === 'text') end('label', read);
    else if (token === '](' && within === 'label') {
      label = read;
      end('path', null);
    } else if (token === ')' && within === 'path') {
      const link = (
        <a key={index} className="text-link" href={`${base}${read.slice(1)}`}>
          {label}
        </a>
      );
      end('text', isOwnPath(read) ? link : label);
    } else read += token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  }
  return [...parts, read];
}
