import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

/** Who has a job or a delivery queue, what comes next, and what becomes of a try. */
export const WORKER: readonly SqlMutant[] = [
  ...mutantsOf('libs/domain/src/exchange/job/job.work.ts', 'job-leases', [
    ["if (!row) return 'lost';", "if (!row) return 'held';"],
    ['sql`${this.job.lease.extended(LEASE_SECONDS)}, ${dueAfterLease},', 'sql`${dueAfterLease},'],
    ["return row.cancel_requested ? 'cancelled' : 'held';", "return 'held';"],
  ]),
  ...mutantsOf('libs/domain/src/kernel/lease/lease.ts', 'job-leases', [
    [': sql`${item(this.columns.fence)} + 1`', ': sql`${item(this.columns.fence)}`'],
    ['${item(column)} = ${fence} AND', '${item(column)} >= ${fence} AND'],
    [' AND ${item(until)} IS NOT NULL`', '`'],
  ]),
  ...mutantsOf('libs/domain/src/kernel/lease/lease.ts', 'delivery-leases', [
    [': sql`${item(this.columns.fence)} + 1`', ': sql`${item(this.columns.fence)}`'],
    ['${item(column)} = ${fence} AND', '${item(column)} >= ${fence} AND'],
    ['`(${item(until)} IS NULL OR ${item(until)} < now())`', '`(true)`'],
    [
      'this.ended = sql`${owner === null ? sql`` : sql`${sql.ref(owner)} = NULL, `}${sql.ref(until)} = NULL,',
      'this.ended = sql`',
    ],
  ]),
  ...mutantsOf('libs/domain/src/kernel/lease/lease.ts', 'refresh-lease', [
    ['CASE WHEN ${item(until)} IS NULL THEN 0 ELSE 1 END', '0'],
    ['CASE WHEN ${item(until)} IS NULL THEN 0 ELSE 1 END', '1'],
    ['`(${item(until)} IS NULL OR ${item(until)} < now())`', '`(true)`'],
    ['${item(column)} = ${fence} AND ${item(until)} IS NOT NULL`', '${item(column)} IS NOT NULL`'],
  ]),
  ...mutantsOf('libs/domain/src/exchange/job/job.work.ts', 'job-leases', [
    [
      'ORDER BY coalesce(running.everywhere, 0), served.at NULLS FIRST, first.id',
      'ORDER BY served.at NULLS FIRST, first.id',
    ],
    ['ORDER BY coalesce(running.everywhere, 0), served.at NULLS FIRST, first.id', 'ORDER BY first.id'],
  ]),
  ...mutantsOf('libs/domain/src/projects/project-content/refresh-lease.ts', 'refresh-lease', [
    ['WHERE item.id <> ${organization} AND', 'WHERE'],
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
    ['exportLease.isFree', 'sql`NOT ${exportLease.isFree}`'],
    ['exportLease.isFree', 'sql`true`'],
  ]),
  ...mutantsOf('libs/domain/src/exchange/import-job/import-job.machine.ts', 'job-leases', [
    [
      "to: 'generating_diff',\n      guard: { condition: importLease.isFree,",
      "to: 'generating_diff',\n      guard: { condition: sql`true`,",
    ],
  ]),
  ...mutantsOf('libs/domain/src/kernel/lease/lease-keeper.ts', 'job-leases', [
    [
      'else this.abortController.abort(new JobEnded(state));',
      "else if (state === 'cancelled') this.abortController.abort(new JobEnded(state));",
    ],
    ["if (state === 'held') this.lastRenewal = startedAt;", "if (state !== 'cancelled') this.lastRenewal = startedAt;"],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery-queue.ts', 'delivery-leases', [
    ['    queueLease.extended(seconds),', '    sql`lease_owner = lease_owner`,'],
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
