import { useQuery } from '@tanstack/react-query';
import { phasesQuery } from '../api/countermeasures.ts';
import { ChoiceFilter } from '../components/filters.tsx';
import type { Option } from '../components/options.tsx';
import { strings } from '../strings.ts';

const PRIORITIES = [9, 7, 5, 3];

interface ContentState {
  readonly phase?: string | undefined;
  readonly priority?: number | undefined;
}

interface Value {
  readonly value: string | number;
  readonly label: string;
  readonly count: number;
}

/** How many items of a list have each value of a filter. */
export type Facets<Name extends string> = { readonly [Key in Name]: readonly Value[] };

/** The options of a filter. Without counts, which come with the list, the usual ones. */
export const facetOptions = (values: readonly Value[] | undefined, others: readonly Option[] = []): readonly Option[] =>
  values?.map(({ value, label, count }) => ({ value: String(value), label, count })) ?? others;

/** The options of a filter by items or people: what identifies them tells apart those with the same name. */
export const itemOptions = (values: readonly Value[] | undefined): readonly Option[] =>
  facetOptions(values).map((option) => ({ ...option, detail: option.value }));

const countFrom = (priorities: readonly Value[], from: number): number =>
  priorities.reduce((sum, { value, count }) => (Number(value) >= from ? sum + count : sum), 0);

/** The filters that lists of countermeasures have in projects and in the library. */
export function ContentFilters({
  state: { phase, priority },
  facets,
  onChange,
}: {
  readonly state: ContentState;
  readonly facets?: Facets<'phase' | 'priority'> | undefined;
  readonly onChange: (changed: ContentState) => void;
}) {
  const phases = useQuery(phasesQuery);
  return (
    <>
      <ChoiceFilter
        label={strings.anyPhase}
        options={facetOptions(
          facets?.phase,
          phases.data?.results.map(({ id, name }) => ({ value: id, label: name })),
        )}
        value={phase}
        onChange={(value) => onChange({ phase: value })}
      />
      <ChoiceFilter
        label={strings.anyPriority}
        options={PRIORITIES.map((from) => ({
          value: String(from),
          label: strings.priorityFrom(from),
          ...(facets && { count: countFrom(facets.priority, from) }),
        }))}
        value={priority?.toString()}
        onChange={(value) => onChange({ priority: value === undefined ? undefined : Number(value) })}
      />
    </>
  );
}
