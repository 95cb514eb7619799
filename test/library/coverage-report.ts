import { editionOf } from '#domain/library/regulation/regulation.fields.js';
import { completedByPartsOf, mappingsOf } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';

type Regulation = Library['regulations'][number];

/** How many sections of a regulation are covered, and the codes of those that are not. */
interface Coverage {
  readonly covered: number;
  readonly total: number;
  readonly open: readonly string[];
}

/**
 * Coverage of the sections that have mappings of their own, up to a level if one is given. A section is covered by a full
 * mapping, or by partial ones that together satisfy it.
 */
export function coverageOf(regulation: Regulation, upToLevel = Infinity): Coverage {
  const full = mappingsOf(regulation).filter(({ strength }) => strength === 'full');
  const covered = new Set([...full.map(({ section }) => section), ...completedByPartsOf(regulation)]);
  const sections = regulation.sections.filter(
    ({ from_requirements: combined, level = 0 }) => !combined && level <= upToLevel,
  );
  const open = sections.filter(({ id }) => !covered.has(id));
  return { covered: sections.length - open.length, total: sections.length, open: open.map(({ code }) => code) };
}

/** Returns a line for each regulation and level with the number of its covered sections, and the codes of the others. */
export const coverageReport = ({ regulations }: Library): string[] =>
  regulations.flatMap((regulation) => {
    const levels = [...new Set(regulation.sections.flatMap(({ level }) => level ?? []))].toSorted((a, b) => a - b);
    return (levels.length ? levels : [undefined]).map((level) => {
      const { covered, total, open } = coverageOf(regulation, level);
      const name = `${editionOf(regulation)}${level === undefined ? '' : `, level ${level}`}`;
      return `${name}: ${covered} of ${total} sections covered${open.length ? `; open: ${open.join(', ')}` : ''}`;
    });
  });
