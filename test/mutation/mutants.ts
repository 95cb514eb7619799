import type { Mutant } from './mutant.ts';
import { ACCESS } from './mutants/access.ts';
import { RETENTION } from './mutants/retention.ts';
import { RULES } from './mutants/rules.ts';
import { WORKER } from './mutants/worker.ts';

/** Faults of which each has to make a test fail. */
export const MUTANTS: readonly Mutant[] = [...ACCESS, ...RETENTION, ...RULES, ...WORKER];
