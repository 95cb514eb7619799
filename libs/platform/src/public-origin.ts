import type { Configuration } from './configuration.js';

/**
 * The public origin of the service, for links outside of requests.
 *
 * @param configuration has `PUBLIC_URL`, and the address that the API listens on
 * @returns scheme and host; without `PUBLIC_URL`, the service is assumed to be used from its own machine only
 */
export function publicOrigin({ publicUrl, host, port }: Pick<Configuration, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${everywhere ? 'localhost' : name}:${port}`;
}
