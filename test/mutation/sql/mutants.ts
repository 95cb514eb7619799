import { ACCESS } from './access.ts';
import { RETENTION } from './retention.ts';
import { RULES } from './rules.ts';
import type { SqlMutant } from './sql-mutant.ts';
import { WORKER } from './worker.ts';

/** Faults of which each has to make a test fail. */
export const MUTANTS: readonly SqlMutant[] = [...ACCESS, ...RETENTION, ...RULES, ...WORKER];
