import type { Configuration } from './configuration.js';

/**
 * Where the service is reached, for links that are not made for a request.
 *
 * @param configuration names `PUBLIC_URL`, and where the API listens
 * @returns scheme and host; a server without `PUBLIC_URL` is one that its own machine alone uses
 */
export function publicOrigin({ publicUrl, host, port }: Pick<Configuration, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${everywhere ? 'localhost' : name}:${port}`;
}
