import { diffLines } from 'diff';
import { strings } from '../strings.ts';

const TAGS = { added: 'ins', removed: 'del' } as const;

/** The lines in which a text differs from what it was. */
export function TextDifference({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}) {
  return (
    <figure className="difference" aria-label={strings.differenceIn(label)}>
      <figcaption>{label}</figcaption>
      {diffLines(before, after).map(({ added, removed, value }, index) => {
        if (!added && !removed) return null;
        const Tag = TAGS[added ? 'added' : 'removed'];
        return <Tag key={index}>{value.replace(/\n$/, '')}</Tag>;
      })}
    </figure>
  );
}
