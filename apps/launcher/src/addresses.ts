/** Addresses on which this machine itself reaches the API. */
const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/**
 * The address to show to the user.
 *
 * @param host host name or address that the API listens on, which may stand for all addresses
 * @param port its TCP port
 * @returns an origin such as `http://localhost:3000`
 */
export function shownOrigin(host: string, port: number): string {
  return LOCAL_HOSTS.includes(host) ? `http://localhost:${port}` : `http://${bracketed(host)}:${port}`;
}

/**
 * A URL of the API for this machine itself. It never uses `localhost`, which may resolve to the other address family,
 * where another process may listen.
 *
 * @param host host name or address that the API listens on
 * @param port its TCP port
 * @param path below its origin
 */
export function localUrl(host: string, port: number, path: string): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}${path}`;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
