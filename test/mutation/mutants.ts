import { type Mutant, mutantsOf } from './mutant.ts';

const FILES = mutantsOf('libs/files/src/csv/write-csv.ts', 'csv-formulas', [
  [String.raw`[\t\r\n']|\s*[=+\-@＝＋－＠]`, String.raw`[\t\r\n']|\s*[=]`],
]);

const POLICY = 'libs/domain/src/projects/risk-policy/risk-policy-compliance.ts';
const COMPLIANCE = mutantsOf(POLICY, 'risk-polic', [
  ["('null', '[]') OR ${test(wanted)})`", "('null', '[]') OR true)`"],
  ['AND ${rankOf(sql`task.verification_status`)} >= ${rankOf(sql`met.minimum_verification_status`)})', ')'],
  ["passes('phases', (wanted) => sql`${wanted} ? ${phase}`)", "passes('phases', () => sql`${phase} IS NOT NULL`)"],
  ["passes('tags', (wanted) => sql`${wanted} ?| ${tags}`)", "passes('tags', (wanted) => sql`${wanted} ?& ${tags}`)"],
  ['coalesce(task.phase_id, seen.phase_id)', 'seen.phase_id'],
  ['coalesce(task.tags, seen.tags,', 'coalesce(seen.tags, task.tags,'],
  ['task.relevant AND task.accepted', 'task.relevant'],
  ['task.relevant AND task.accepted', 'task.accepted'],
  ["met.task_status = 'TS' || task.status_id", 'met.task_status IS NOT NULL'],
  ['CASE WHEN p.survey_complete THEN NOT EXISTS', 'CASE WHEN true THEN NOT EXISTS'],
]);

const LEASES = [
  ...mutantsOf('libs/domain/src/exchange/job/job.work.ts', 'job-leases', [
    ['fence = fence + 1,', 'fence = fence,'],
    ['AND item.fence = ${fence}`', 'AND item.fence >= ${fence}`'],
    ["if (!rows[0]) return 'lost';", "if (!rows[0]) return 'held';"],
    ['AND item.status = ANY(${[...this.working]}::text[])', ''],
    ['SET lease_until = ${leaseEnd}, due_at = ${leaseEnd},', 'SET due_at = ${leaseEnd},'],
    ["return rows[0].cancel_requested ? 'cancelled' : 'held';", "return 'held';"],
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
      'else this.ending.abort(new Ended(state));',
      "else if (state === 'cancelled') this.ending.abort(new Ended(state));",
    ],
    ['> this.leaseSeconds * 1000', '< this.leaseSeconds * 1000'],
    ['> this.leaseSeconds * 1000', '> Infinity'],
    ["if (state === 'held') this.renewed = began;", "if (state !== 'cancelled') this.renewed = began;"],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery-queue.ts', 'delivery-leases', [
    ['SET fence = fence + 1,', 'SET fence = fence,'],
    ['AND queue.fence = ${fence}`', 'AND queue.fence >= ${fence}`'],
    ['(queue.lease_until IS NULL OR queue.lease_until < now())', '(true)'],
    ['queue SET lease_until = now() + make_interval(secs => ${leaseSeconds})', 'queue SET lease_owner = lease_owner'],
    ['SET lease_owner = NULL, lease_until = NULL, due_at = now()', 'SET due_at = now()'],
  ]),
  ...mutantsOf('libs/domain/src/notifications/webhook/delivery.work.ts', 'delivery-leases', [
    ['if (!noted) return false;', 'if (!noted) return true;'],
    ["if (!kept || !webhook) return { step: 'stop' };", "if (!kept || !webhook) return { step: 'rest' };"],
  ]),
];

const RETENTION = [
  ...mutantsOf('libs/domain/src/access/token/token.commands.ts', 'access/tokens/tokens', [
    ["('expires_at', '<', sql<string>`now() - ", "('expires_at', '>', sql<string>`now() - "],
    ['now() - make_interval(days => ${EXPIRED_TOKEN_DAYS})', 'now() + make_interval(days => ${EXPIRED_TOKEN_DAYS})'],
    ['now() - make_interval(days => ${EXPIRED_TOKEN_DAYS})', 'now()'],
    ['...keptOf(token), last_used_at: null }', '...keptOf(token) }'],
  ]),
  ...mutantsOf('libs/domain/src/exchange/import-job/import-job.kept.ts', 'import-job.kept', [
    ["('pending', 'generating_diff', 'applying_changes')", "('pending', 'generating_diff')"],
    ["AND kept_until <= now() AND status IN ('success', 'fail', 'cancel') RETURNING id", 'RETURNING id'],
    ["AND status IN ('success', 'fail', 'cancel') RETURNING id", 'RETURNING id'],
    ["NOT trimmed AND status IN ('success', 'fail', 'cancel')", "NOT trimmed AND status <> 'pending'"],
    ["status === 'ready_for_review'", "status === 'pending'"],
    ['WHERE kept_until <= now() AND (file_key', 'WHERE kept_until IS NOT NULL AND (file_key'],
    ["(action = 'unchanged' OR fence", "(action = 'created' OR fence"],
  ]),
];

const TRENDS = mutantsOf('libs/domain/src/reports/trend/trend.commands.ts', 'trend-snapshots', [
  ['AS phase, max(priority) AS priority', 'AS phase, min(priority) AS priority'],
  ["ELSE 'Complete' END, max(p.priority)", "ELSE 'Complete' END, min(p.priority)"],
  ['(array_agg(phase ORDER BY phase_ordinal, phase))[1]', '(array_agg(phase ORDER BY phase_ordinal DESC, phase))[1]'],
  ['FROM trend_state WHERE state = ${INCOMPLETE} GROUP', 'FROM trend_state GROUP'],
  ['lockRule(em, ', 'void lockRule(em, '],
]);

/** Faults that one test at least has to notice. */
export const MUTANTS: readonly Mutant[] = [...FILES, ...COMPLIANCE, ...LEASES, ...RETENTION, ...TRENDS];
