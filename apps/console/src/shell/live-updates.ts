import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Change, listenToChanges } from '../api/events.ts';

/** Queries that show items of a kind that belongs to no project, by the first part of their keys. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  additional_requirement: ['library', 'countermeasure'],
  application: ['applications', 'projects'],
  business_unit: ['business-units', 'applications', 'projects'],
  connector: ['tool-connectors', 'tracker-connectors'],
  countermeasure: ['library', 'countermeasures', 'countermeasure', 'my-countermeasures', 'project-updates'],
  export_job: ['exports'],
  flag: ['flags'],
  group: ['groups'],
  group_member: ['groups', 'users'],
  how_to: ['library', 'countermeasure'],
  identity_provider: ['identity-providers'],
  import_job: ['imports', 'import-difference'],
  library_release: ['library', 'project-updates'],
  phase: ['phases'],
  profile: ['profiles'],
  report: ['reports', 'report-rows'],
  risk_policy: ['risk-policies', 'gate'],
  role: ['roles', 'project-roles'],
  saved_view: ['reports'],
  session: ['sessions'],
  threat: ['library', 'project-threats'],
  token: ['tokens'],
  token_policy: ['token-policy'],
  user: ['users'],
  weakness: ['library', 'project-weaknesses'],
  webhook: ['webhooks'],
};

/** Pages about several projects. */
const OVERVIEWS: readonly unknown[] = ['projects', 'home', 'my-countermeasures'];

/** A kind of which every project has items: outside of projects, it stands for everything. */
const IN_EVERY_PROJECT = 'project_countermeasure';

type Condition = (query: Query) => boolean;

const isSession = ({ queryKey: [name] }: Query): boolean => name === 'session';

/** The queries that may show what has changed. Those of a project have its id as the second part of their keys. */
function concernedBy({ kinds, project }: Change): Condition {
  if (project === null && kinds.includes(IN_EVERY_PROJECT)) return (query) => !isSession(query);
  const names = new Set<unknown>(kinds.flatMap((kind) => NAMES[kind] ?? []));
  return ({ queryKey: [name, id, idOfActivities] }) => {
    if (name === 'activities') return id !== 'project' || idOfActivities === project;
    if (project === null) return name === 'home' || names.has(name);
    return id === project || OVERVIEWS.includes(name);
  };
}

/** The queries that were loaded earlier. */
const loadedBefore =
  (moment: number): Condition =>
  (query) =>
    !isSession(query) && query.state.dataUpdatedAt > 0 && query.state.dataUpdatedAt < moment;

/** Changes within this time are loaded together. */
const PAUSE_MILLISECONDS = 300;

/** What was loaded longer ago when a connection begins is loaded again: a change of it may have been missed. */
const MAX_AGE_MILLISECONDS = 1000;

/** Loads what the page shows again when someone else has changed it. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let conditions: Condition[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (): void => {
      timer ??= setTimeout(load, PAUSE_MILLISECONDS);
    };
    function load(): void {
      timer = undefined;
      // A change of the user's own that is on its way would be undone for a moment.
      if (queries.isMutating() > 0) return plan();
      const together = conditions;
      conditions = [];
      void queries.invalidateQueries({ predicate: (query) => together.some((isMet) => isMet(query)) });
    }
    const add = (condition: Condition): void => {
      conditions.push(condition);
      plan();
    };
    const stop = listenToChanges(
      (change) => add(concernedBy(change)),
      () => add(loadedBefore(Date.now() - MAX_AGE_MILLISECONDS)),
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [queries]);
}
