import { Lease } from '../../kernel/lease/lease.js';

/** Duration of a lease without renewal. */
export const LEASE_SECONDS = 8;

/** The lease on the rows of a kind of job. */
export const jobLease = (table: string): Lease => new Lease({ table, requeueSeconds: 4 });
