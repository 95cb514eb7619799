/** What orchestrators, the launcher and the monitoring poll. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
