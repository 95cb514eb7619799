import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type CountermeasureList,
  type ListedCountermeasure,
  phasesQuery,
  type Status,
} from '../../api/countermeasures.ts';
import { weaknessTitlesQuery } from '../../api/library.ts';
import { idOf } from '../../components/formats.tsx';
import type { ItemGroup } from '../../components/item-list.tsx';
import { distinct, personOption } from '../../components/options.tsx';
import { strings } from '../../strings.ts';
import type { WorkState } from './work-filters.tsx';

/** What is not done comes first. */
const STATUSES: readonly string[] = ['TS2', 'TS1', 'TS3'] satisfies Status[];

const NONE: CountermeasureList['results'] = [];

/** Names of the phases. */
export function usePhases(): ReadonlyMap<string, string> {
  const phases = useQuery(phasesQuery).data?.results;
  return useMemo(() => new Map(phases?.map(({ id, name }) => [id, name])), [phases]);
}

/** The titles of the weaknesses of a list. Its facets have the most frequent ones; the others are loaded. */
function useWeaknesses(list: CountermeasureList | undefined, isNeeded: boolean): ReadonlyMap<string, string> {
  const frequent = useMemo(
    () => new Map(list?.facets?.problem.map(({ value, label }) => [value, label])),
    [list?.facets],
  );
  const isRare = ({ problem }: ListedCountermeasure): boolean => idOf(problem) !== '' && !frequent.has(idOf(problem));
  const all = useQuery({ ...weaknessTitlesQuery, enabled: isNeeded && (list?.results.some(isRare) ?? false) }).data;
  return useMemo(() => new Map([...(all ?? []), ...frequent]), [all, frequent]);
}

/** What people are called in a list: those with the same name have their e-mail addresses too. */
const peopleIn = (results: readonly ListedCountermeasure[]): ReadonlyMap<string, string> => {
  const people = new Map(
    results.flatMap(({ assigned_to: assignees }) => assignees).map((one) => [one.email, personOption(one, one.email)]),
  );
  return new Map(distinct([...people.values()]).map(({ value, label }) => [value, label]));
};

/** The group of a countermeasure in a list. */
export function useWorkGroups(
  group: WorkState['group'],
  list: CountermeasureList | undefined,
): ((item: ListedCountermeasure) => ItemGroup) | undefined {
  const phases = usePhases();
  const weaknesses = useWeaknesses(list, group === 'problem');
  const results = (group === 'assignee' && list?.results) || NONE;
  const people = useMemo(() => peopleIn(results), [results]);
  return useMemo(() => {
    const places = [...phases.keys()];
    const groups = {
      phase: ({ phase }: ListedCountermeasure) => {
        const key = idOf(phase);
        return { key, label: phases.get(key) ?? key, place: places.indexOf(key) };
      },
      status: ({ status }: ListedCountermeasure) => {
        const key = idOf(status) as Status;
        return { key, label: strings.statuses[key], place: STATUSES.indexOf(key) };
      },
      problem: ({ problem }: ListedCountermeasure) => {
        const key = idOf(problem);
        return { key, label: key === '' ? strings.noWeakness : (weaknesses.get(key) ?? key) };
      },
      assignee: ({ assigned_to: assignees }: ListedCountermeasure) => {
        const emails = assignees.map(({ email }) => email).toSorted();
        return { key: emails.join(' '), label: emails.map((one) => people.get(one)).join(', ') || strings.noOne };
      },
    };
    return group && groups[group];
  }, [group, phases, weaknesses, people]);
}
