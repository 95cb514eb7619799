import { useQuery } from '@tanstack/react-query';
import {
  type CountermeasureFilters,
  type ListedCountermeasure,
  phasesQuery,
  type Status,
} from '../../api/countermeasures.ts';
import { ChoiceFilter, choicesOf, Filters, TextFilter } from '../../components/filters.tsx';
import { strings } from '../../strings.ts';
import { ContentFilters } from '../content-filters.tsx';

export interface WorkState extends CountermeasureFilters {
  readonly group?: 'phase' | 'status' | 'problem' | undefined;
}

/** The filters of lists of countermeasures, with their order and groups. */
export function WorkFilters({
  state,
  onChange,
}: {
  readonly state: WorkState;
  readonly onChange: (changed: WorkState) => void;
}) {
  return (
    <Filters>
      <TextFilter value={state.q} onChange={(q) => onChange({ q })} />
      <ChoiceFilter
        label={strings.anyStatus}
        options={choicesOf(strings.statuses)}
        value={state.status}
        onChange={(status) => onChange({ status: status as Status | undefined })}
      />
      <ContentFilters state={state} onChange={onChange} />
      <ChoiceFilter
        label={strings.orderBy}
        options={choicesOf(strings.orders)}
        value={state.order}
        onChange={(order) => onChange({ order: order as WorkState['order'] })}
      />
      <ChoiceFilter
        label={strings.groupBy}
        options={choicesOf(strings.groups)}
        value={state.group}
        onChange={(group) => onChange({ group: group as WorkState['group'] })}
      />
    </Filters>
  );
}

const idOf = (value: string | { readonly id: string } | null): string | null =>
  typeof value === 'string' || value === null ? value : value.id;

/** Names of phases, and the heading of a countermeasure in a grouped list. */
export function useWorkNames(group: WorkState['group']) {
  const phases = useQuery(phasesQuery);
  const names = new Map(phases.data?.results.map(({ id, name }) => [id, name]));
  const phaseOf = ({ phase }: Pick<ListedCountermeasure, 'phase'>): string => {
    const id = idOf(phase) ?? '';
    return names.get(id) ?? id;
  };
  const headings = {
    phase: phaseOf,
    status: ({ status }: ListedCountermeasure) => strings.statuses[idOf(status) as Status],
    problem: ({ problem }: ListedCountermeasure) => idOf(problem) ?? strings.noWeakness,
  };
  return { phaseOf, groupOf: group && headings[group] };
}
