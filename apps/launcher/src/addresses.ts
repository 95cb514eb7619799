/** Hosts that mean this machine, however it is reached. */
const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/**
 * The address to show to the user.
 *
 * @param host what the API listens on: a host name or address, perhaps one that means all addresses
 * @param port its TCP port
 * @returns an origin such as `http://localhost:3000`
 */
export function shownOrigin(host: string, port: number): string {
  return LOCAL_HOSTS.includes(host) ? `http://localhost:${port}` : `http://${bracketed(host)}:${port}`;
}

/**
 * The address to ask whether the API is ready. It never says `localhost`, which may lead to another process that
 * listens on the other address family.
 *
 * @param host what the API listens on
 * @param port its TCP port
 * @returns a URL
 */
export function readinessUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}/readyz`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
