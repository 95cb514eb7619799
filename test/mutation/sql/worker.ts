import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

/** Who has a job or a delivery queue, what comes next, and what becomes of a try. */
export const WORKER: readonly SqlMutant[] = [
  ...mutantsOf('libs/domain/src/exchange/job/job.work.ts', 'job-leases', [
    ['fence = fence + 1,', 'fence = fence,'],
    ['AND item.fence = ${fence}`', 'AND item.fence >= ${fence}`'],
    ["if (!rows[0]) return 'lost';", "if (!rows[0]) return 'held';"],
    ['AND item.status = ANY(${[...this.working]}::text[])', ''],
    ['SET lease_until = ${leaseEnd}, due_at = ${leaseEnd},', 'SET due_at = ${leaseEnd},'],
    ["return rows[0].cancel_requested ? 'cancelled' : 'held';", "return 'held';"],
  ]),
  ...mutantsOf('libs/domain/src/exchange/job/job.work.ts', 'job-leases', [
    [
      'ORDER BY coalesce(running.everywhere, 0), served.at NULLS FIRST, first.id',
      'ORDER BY served.at NULLS FIRST, first.id',
    ],
    ['ORDER BY coalesce(running.everywhere, 0), served.at NULLS FIRST, first.id', 'ORDER BY first.id'],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-content/refresh-lease.ts', 'refresh-lease', [
    ['WHERE o.id <> ${organization} AND', 'WHERE'],
    ['CASE WHEN refresh_lease_until IS NULL THEN 0 ELSE 1 END', '0'],
    ['CASE WHEN refresh_lease_until IS NULL THEN 0 ELSE 1 END', '1'],
    ['(o.refresh_lease_until IS NULL OR o.refresh_lease_until < now())', '(true)'],
    ['AND refresh_fence = ${fence} AND refresh_lease_until IS NOT NULL`', '`'],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-content/library-change.ts', 'refresh-lease', [
    [
      'NOT p.content_refresh_locked AND NOT p.locked AND NOT p.archived',
      'NOT p.content_refresh_locked AND NOT p.archived',
    ],
    [
      'NOT p.content_refresh_locked AND NOT p.locked AND NOT p.archived',
      'NOT p.content_refresh_locked AND NOT p.locked',
    ],
    ['  await awaitRule(em, REFRESH_RULE, organizationId);\n', ''],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-explanation/explanation.sql.ts', 'project-explanations', [
    ['coalesce(pc.tasks_introduced, c.tasks_introduced)', 'c.tasks_introduced'],
    ['coalesce(pc.tasks_implemented, c.tasks_implemented)', 'c.tasks_implemented'],
  ]),
  ...mutantsOf('libs/domain/src/exchange/export-job/export-job.machine.ts', 'job-leases', [
    ['sql`item.lease_until < now()`', 'sql`item.lease_until > now()`'],
    ['sql`item.lease_until < now()`', 'sql`true`'],
  ]),
  ...mutantsOf('libs/domain/src/exchange/import-job/import-job.machine.ts', 'job-leases', [
    ['sql`item.lease_until < now()`', 'sql`true`'],
  ]),
  ...mutantsOf('libs/domain/src/kernel/lease-keeper.ts', 'job-leases', [
    [
      'else this.abortController.abort(new JobEnded(state));',
      "else if (state === 'cancelled') this.abortController.abort(new JobEnded(state));",
    ],
    ["if (state === 'held') this.lastRenewal = startedAt;", "if (state !== 'cancelled') this.lastRenewal = startedAt;"],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery-queue.ts', 'delivery-leases', [
    ['SET fence = fence + 1,', 'SET fence = fence,'],
    ['AND queue.fence = ${fence}`', 'AND queue.fence >= ${fence}`'],
    ['(queue.lease_until IS NULL OR queue.lease_until < now())', '(true)'],
    ['queue SET lease_until = now() + make_interval(secs => ${leaseSeconds})', 'queue SET lease_owner = lease_owner'],
    ['SET lease_owner = NULL, lease_until = NULL, due_at = now()', 'SET due_at = now()'],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery.work.ts', 'delivery-leases', [
    ['if (!queueResult) return false;', 'if (!queueResult) return true;'],
    ["if (!lease || !webhook) return { step: 'stop' };", "if (!lease || !webhook) return { step: 'rest' };"],
    ['        OR d.created_at < now() - make_interval(secs => ${MAX_HORIZON_WAIT_SECONDS}) AS settled', ' AS settled'],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery.policy.ts', 'delivery.policy', [
    ['new Set([400, 403, 404, 410])', 'new Set([400, 403, 404])'],
  ]),
];
