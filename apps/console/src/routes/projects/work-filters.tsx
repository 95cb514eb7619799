import { useState } from 'react';
import {
  type CountermeasureFilters,
  type CountermeasureList,
  facetValuesQuery,
  FIRST,
  type SearchedFacet,
  type Status,
} from '../../api/countermeasures.ts';
import { Button } from '../../components/controls.ts';
import { ChoiceFilter, choicesOf, Filters, SearchedFilter, TextFilter } from '../../components/filters.tsx';
import { strings } from '../../strings.ts';
import { ContentFilters, facetOptions, itemOptions } from '../content-filters.tsx';

export interface WorkState extends CountermeasureFilters {
  readonly group?: 'phase' | 'status' | 'problem' | 'assignee' | undefined;
}

/** The filters of lists of countermeasures, with their order and groups. */
export function WorkFilters({
  project,
  state,
  facets,
  onChange,
}: {
  /** That of the list; undefined if it has countermeasures of all projects. */
  readonly project?: number;
  readonly state: WorkState;
  readonly facets: CountermeasureList['facets'];
  readonly onChange: (changed: WorkState) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const hasMore = isOpen || [state.assignee, state.problem, state.tag].some((value) => value !== undefined);
  const count = (status: string) => facets?.status.find(({ value }) => value === status)?.count ?? 0;
  const { group, ...filters } = state;
  const findIn = (facet: SearchedFacet) => (text: string) => facetValuesQuery(project, filters, facet, text);
  return (
    <Filters>
      <TextFilter value={state.q} onChange={(q) => onChange({ q })} />
      <ChoiceFilter
        label={strings.anyStatus}
        options={choicesOf(strings.statuses).map((choice) => ({
          ...choice,
          ...(facets && { count: count(choice.value) }),
        }))}
        value={state.status}
        onChange={(status) => onChange({ status: status as Status | undefined })}
      />
      <ContentFilters state={state} facets={facets} onChange={onChange} />
      {hasMore && (
        <>
          <SearchedFilter
            label={strings.anyAssignee}
            options={itemOptions(facets?.assigned_to)}
            value={state.assignee}
            onChange={(assignee) => onChange({ assignee })}
            find={findIn('assigned_to')}
          />
          <SearchedFilter
            label={strings.anyWeakness}
            options={itemOptions(facets?.problem)}
            value={state.problem}
            onChange={(problem) => onChange({ problem })}
            find={findIn('problem')}
          />
          <SearchedFilter
            label={strings.anyTag}
            options={facetOptions(facets?.tag)}
            value={state.tag}
            onChange={(tag) => onChange({ tag })}
            find={findIn('tag')}
          />
        </>
      )}
      <ChoiceFilter
        label={strings.orderBy}
        options={choicesOf(strings.orders)}
        value={state.order}
        onChange={(order) => onChange({ order: order as WorkState['order'] })}
      />
      <ChoiceFilter
        label={strings.groupBy}
        options={choicesOf(strings.groups)}
        value={group}
        onChange={(group) => onChange({ group: group as WorkState['group'] })}
      />
      <Button
        variant={state.view ? 'filled' : 'default'}
        aria-pressed={state.view === 'first'}
        title={strings.firstHint}
        onClick={() => onChange({ view: state.view ? undefined : 'first' })}
      >
        {strings.first(FIRST)}
      </Button>
      {!hasMore && (
        <Button variant="subtle" px="xs" onClick={() => setOpen(true)}>
          {strings.moreFilters}
        </Button>
      )}
    </Filters>
  );
}
