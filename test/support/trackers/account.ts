import { MERLON_LABEL } from '#trackers/issue.js';
import { trackerProject } from '#trackers/tracker-project.js';
import { type ContractTracker, trackerClient } from '../tracker-contract.js';

/**
 * The project of a real account that the variables `TRACKER_CONTRACT_…` name; undefined if they name none.
 * docs/develop/testing.md describes them.
 */
export function contractAccount(): ContractTracker | undefined {
  const valueOf = (name: string): string | undefined => process.env[`TRACKER_CONTRACT_${name}`] || undefined;
  const needed = (name: string): string => {
    const value = valueOf(name);
    if (value === undefined) throw new Error(`TRACKER_CONTRACT_${name} is missing.`);
    return value;
  };
  const pairOf = (name: string): readonly [string, string] => {
    const [first = '', second = '', ...rest] = needed(name).split(',');
    if (second === '' || rest.length > 0) throw new Error(`TRACKER_CONTRACT_${name} needs two names: A,B`);
    return [first, second];
  };
  const system = valueOf('SYSTEM');
  if (system === undefined) return undefined;
  const access = { url: needed('URL'), token: needed('TOKEN'), email: valueOf('EMAIL') };
  const project = needed('PROJECT');
  const statuses = pairOf('STATUSES');
  const startedAt = new Date(Date.now() - 60_000);
  return {
    system,
    access,
    project,
    type: valueOf('TYPE'),
    statuses,
    ...(valueOf('PRIORITIES') !== undefined && { priorities: pairOf('PRIORITIES') }),
    isShared: true,
    /** Closes what the tests created. */
    stop: async () => {
      const issues = trackerProject(trackerClient(), system, access, project);
      const page = await issues.changedSince(startedAt, undefined);
      for (const { id, status, labels } of page.issues)
        if (status === statuses[0] && labels.includes(MERLON_LABEL)) await issues.update(id, { status: statuses[1] });
    },
  };
}
