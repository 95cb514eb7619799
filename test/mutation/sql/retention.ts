import { mutantsOf, type SqlMutant } from './sql-mutant.ts';

/** What is removed, and what has to stay. */
export const RETENTION: readonly SqlMutant[] = [
  ...mutantsOf('libs/domain/src/access/token/token.commands.ts', 'access/tokens/tokens', [
    ["('expires_at', '<', sql<string>`now() - ", "('expires_at', '>', sql<string>`now() - "],
    ['now() - make_interval(days => ${EXPIRED_TOKEN_DAYS})', 'now() + make_interval(days => ${EXPIRED_TOKEN_DAYS})'],
    ['now() - make_interval(days => ${EXPIRED_TOKEN_DAYS})', 'now()'],
    ['...storedColumnsOf(token), last_used_at: null, ', '...storedColumnsOf(token), '],
  ]),
  ...mutantsOf('libs/domain/src/exchange/import-job/import-job.cleanup.ts', 'import-job.cleanup', [
    ["('pending', 'generating_diff', 'applying_changes')", "('pending', 'generating_diff')"],
    ["AND kept_until <= now() AND status IN ('success', 'fail', 'cancel') RETURNING id", 'RETURNING id'],
    ["AND status IN ('success', 'fail', 'cancel') RETURNING id", 'RETURNING id'],
    ["NOT trimmed AND status IN ('success', 'fail', 'cancel')", "NOT trimmed AND status <> 'pending'"],
    ['WHERE kept_until <= now() AND (file_key', 'WHERE kept_until IS NOT NULL AND (file_key'],
    ["(action = 'unchanged' OR fence", "(action = 'created' OR fence"],
  ]),
  ...mutantsOf('libs/content/src/import/difference/staging.ts', 'difference/staging', [
    ['WHERE ${importLease.isHeld({ id: job, fence })} RETURNING id', 'WHERE item.id = ${job} RETURNING id'],
    ['FROM cleared) AND fence < ${fence}`', 'FROM cleared)`'],
  ]),
];
