import {
  CONFLICT_POLICIES,
  type ConflictPolicy,
  defaultPriority,
} from '../tracker-connection/tracker-connection.rules.js';
import {
  type Base,
  baseAfter,
  compare,
  compareStatus,
  type SeenIssue,
  type StatusDecision,
  type Wanted,
} from './compare.js';

const BEFORE = '2026-03-04T10:00:00.000Z';
const LATER = '2026-03-04T12:00:00.000Z';

/** At the last synchronisation, the countermeasure was incomplete, and its issue new. */
const base: Base = {
  merlon: { status: 'TS2', title: 'T2: Hash', text: 'h1', priority: 'Major' },
  tracker: { status: 'New', title: 'T2: Hash', text: 'h1', priority: 'Major' },
};
const wanted: Wanted = { ...base.merlon, status: 'TS2', body: 'Hash passwords.', statusChanged: Date.parse(BEFORE) };
const seen: SeenIssue = { ...base.tracker, status: 'New', updated: BEFORE, project: 'shop' };
const maps = {
  statusToTracker: { TS1: 'Closed', TS2: 'New' },
  trackerToStatus: { Closed: 'TS1', New: 'TS2', Rejected: 'TS3' },
};

const nothing: StatusDecision = { write: 'nothing' };
const tracker = (status: string, conflict = false): StatusDecision => ({ write: 'tracker', status, conflict });
const merlon = (status: string, conflict = false): StatusDecision => ({ write: 'merlon', status, conflict });

/**
 * Statuses of Merlon now, and of the tracker now. TS3 has no counterpart in the tracker, and `In Review` none in Merlon.
 * The decision is the same for all policies, or one for each.
 */
const CELLS: readonly (readonly [string, string, StatusDecision | Readonly<Record<ConflictPolicy, StatusDecision>>])[] =
  [
    ['TS2', 'New', nothing],
    ['TS2', 'Closed', merlon('TS1')],
    ['TS2', 'Rejected', merlon('TS3')],
    ['TS2', 'In Review', nothing],
    ['TS1', 'New', tracker('Closed')],
    ['TS1', 'Closed', nothing],
    [
      'TS1',
      'Rejected',
      { tracker: merlon('TS3', true), merlon: tracker('Closed', true), newest: tracker('Closed', true) },
    ],
    ['TS1', 'In Review', tracker('Closed')],
    ['TS3', 'New', nothing],
    ['TS3', 'Closed', merlon('TS1')],
    ['TS3', 'Rejected', nothing],
    ['TS3', 'In Review', nothing],
  ];

describe('The comparison of a countermeasure, its issue and their last synchronised state', () => {
  const rows = CELLS.flatMap(([status, issue, decision]) =>
    CONFLICT_POLICIES.map((policy) => ({
      status,
      issue,
      policy,
      decision: 'write' in decision ? decision : decision[policy],
    })),
  );

  it.each(rows)('decides for $status and $issue, if $policy wins', ({ status, issue, policy, decision }) => {
    // Merlon's change is the newer one.
    const changed = { status, statusChanged: Date.parse(LATER) };
    const rules = { ...maps, conflictPolicy: policy };
    expect(compareStatus(changed, { status: issue, updated: BEFORE }, base, rules)).toEqual(decision);
  });

  it('lets the tracker win if its change is the newest', () => {
    const changed = { status: 'TS1', statusChanged: Date.parse(BEFORE) };
    const rules = { ...maps, conflictPolicy: 'newest' as const };
    expect(compareStatus(changed, { status: 'Rejected', updated: LATER }, base, rules)).toEqual(merlon('TS3', true));
  });

  it('never flips a status to and fro: after it was written, nothing is left to do', () => {
    const rules = { ...maps, conflictPolicy: 'tracker' as const };
    for (const status of ['TS1', 'TS2', 'TS3'])
      for (const issue of ['New', 'Closed', 'Rejected', 'In Review']) {
        const [left, right] = [
          { ...wanted, status },
          { ...seen, status: issue },
        ];
        const first = compare(left, right, base, rules);
        const written = { ...right, status: first.change.status ?? issue };
        const next = compare(
          { ...left, status: first.mark ?? status },
          written,
          baseAfter(left, right, first, written),
          rules,
        );
        expect(next).toEqual({ change: {}, mark: undefined, conflict: false, equal: true });
      }
  });

  it.each(['title', 'priority', 'text'] as const)('sends a changed %s, unless someone edited it there', (name) => {
    const rules = { ...maps, conflictPolicy: 'merlon' as const };
    const changed = { ...wanted, [name]: 'new', ...(name === 'text' && { body: 'New.' }) };
    expect(compare(changed, seen, base, rules).change).toEqual({ [name]: name === 'text' ? 'New.' : 'new' });
    const edited = compare(changed, { ...seen, [name]: 'edited' }, base, rules);
    expect(edited).toMatchObject({ change: {}, equal: false });
    expect(compare(wanted, { ...seen, [name]: 'edited' }, base, rules).change).toEqual({});
  });

  it('finds a change that someone makes while another one is written', () => {
    const rules = { ...maps, conflictPolicy: 'tracker' as const };
    const changed = { ...wanted, title: 'New title' };
    const first = compare(changed, seen, base, rules);
    const response = { ...seen, title: 'New title', status: 'Closed' };
    expect(compare(changed, response, baseAfter(changed, seen, first, response), rules).mark).toBe('TS1');
  });
});

describe('The priority of an issue', () => {
  it('is by default Blocker, Critical, Major, Minor or Trivial', () => {
    const names = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(defaultPriority);
    const [critical, major, minor, trivial] = ['Critical', 'Major', 'Minor', 'Trivial'];
    expect(names).toEqual(['Blocker', critical, critical, critical, major, major, minor, minor, trivial, trivial]);
  });
});
