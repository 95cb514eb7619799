import { useQuery } from '@tanstack/react-query';
import { phasesQuery } from '../api/countermeasures.ts';
import { ChoiceFilter } from '../components/filters.tsx';
import { strings } from '../strings.ts';

const PRIORITIES = [9, 7, 5, 3];

interface ContentState {
  readonly phase?: string | undefined;
  readonly priority?: number | undefined;
}

/** The filters that lists of countermeasures have in projects and in the library. */
export function ContentFilters({
  state: { phase, priority },
  onChange,
}: {
  readonly state: ContentState;
  readonly onChange: (changed: ContentState) => void;
}) {
  const phases = useQuery(phasesQuery);
  return (
    <>
      <ChoiceFilter
        label={strings.anyPhase}
        options={(phases.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={phase}
        onChange={(value) => onChange({ phase: value })}
      />
      <ChoiceFilter
        label={strings.anyPriority}
        options={PRIORITIES.map((value) => ({ value: String(value), label: strings.priorityFrom(value) }))}
        value={priority?.toString()}
        onChange={(value) => onChange({ priority: value === undefined ? undefined : Number(value) })}
      />
    </>
  );
}
