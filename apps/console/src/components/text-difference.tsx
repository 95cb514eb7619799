import { diffLines } from 'diff';
import type { ReactNode } from 'react';
import { strings } from '../strings.ts';

const TAGS = { added: 'ins', removed: 'del', kept: 'span' } as const;

type Kind = keyof typeof TAGS;

/** Lines of two versions of a text, and whether both have them. A last line equals one that others follow. */
const linesOf = (before: string, after: string): { readonly kind: Kind; readonly lines: string }[] =>
  diffLines(`${before}\n`, `${after}\n`).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    lines: value.replace(/\n$/, ''),
  }));

function Lines({
  before,
  after,
  without,
}: {
  readonly before: string;
  readonly after: string;
  readonly without: Kind;
}): ReactNode {
  return linesOf(before, after).map(({ kind, lines }, index) => {
    if (kind === without) return null;
    const Tag = TAGS[kind];
    return <Tag key={index}>{lines}</Tag>;
  });
}

interface Versions {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The lines in which a text differs from what it was. */
export function TextDifference({ label, before, after }: Versions) {
  return (
    <figure className="difference" aria-label={strings.differenceIn(label)}>
      <figcaption>{label}</figcaption>
      <Lines before={before} after={after} without="kept" />
    </figure>
  );
}

/** Two versions of a text next to each other, in which the lines that differ are marked. */
export function TextVersions({
  label,
  before,
  after,
  names: [nameBefore, nameAfter],
}: Versions & { readonly names: readonly [string, string] }) {
  return (
    <div className="versions">
      <figure className="difference" aria-label={`${nameBefore}: ${label}`}>
        <figcaption>{nameBefore}</figcaption>
        <Lines before={before} after={after} without="added" />
      </figure>
      <figure className="difference" aria-label={`${nameAfter}: ${label}`}>
        <figcaption>{nameAfter}</figcaption>
        <Lines before={before} after={after} without="removed" />
      </figure>
    </div>
  );
}
