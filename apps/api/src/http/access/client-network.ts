import ipaddr from 'ipaddr.js';

/** 16-bit groups of an IPv6 address that name the network of one customer: 64 bits. */
const NETWORK_GROUPS = 4;

/**
 * What limits count as one client: an IPv4 address, also where it is written as an IPv6 one, or the IPv6 network of 64
 * bits, since whoever has one address of it has them all.
 *
 * @param address of a client; undefined where its connection is gone already
 */
export function clientNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.map((group, place) => (place < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/64`;
}
