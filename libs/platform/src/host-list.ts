import { hostEntry } from './setting.js';

/** An entry with its port; the default is 443. */
const withPort = (entry: string): string => (/:\d+$/.test(entry) ? entry : `${entry}:443`);

/**
 * Whether a list of hosts in a setting allows an https URL.
 *
 * @param url an https URL
 * @param hosts entries that `hostEntry` has parsed
 * @returns whether one of them is the URL's host and port
 */
export function isHostListed({ hostname, port }: URL, hosts: readonly string[]): boolean {
  const host = `${hostEntry(hostname) ?? ''}:${port === '' ? '443' : port}`;
  return hosts.some((entry) => withPort(entry) === host);
}
