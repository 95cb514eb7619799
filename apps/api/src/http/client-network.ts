import ipaddr from 'ipaddr.js';

/** The number of 16-bit groups of an IPv6 address that identify one customer's network: 64 bits. */
const NETWORK_GROUPS = 4;

/**
 * The address that limits count as one client: an IPv4 address, also if it is mapped to IPv6, or the 64-bit network of
 * an IPv6 address, since a client can use all addresses of its network.
 *
 * @param address of a client; undefined if its connection is already closed
 */
export function clientNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.map((group, index) => (index < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/64`;
}
