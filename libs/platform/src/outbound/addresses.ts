import { BlockList, isIP, isIPv6 } from 'node:net';

/** Address blocks that are not part of the public internet: the special-purpose registries of IANA, and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Within `2000::/3`, the only public range: protocol assignments with Teredo, ORCHID and benchmarks; documentation;
 * AS112; 6to4. Tunnels to an IPv4 address are rejected, whatever that address is: no chat service or tool uses one.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const blocks = (family: 'ipv4' | 'ipv6', ...ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const specialIPv4 = blocks('ipv4', ...SPECIAL_IPV4);
const globalIPv6 = blocks('ipv6', '2000::/3');
const specialIPv6 = blocks('ipv6', ...SPECIAL_IPV6);
/** The last four bytes are an IPv4 address: IPv4-mapped, and NAT64, by which IPv6-only hosts reach IPv4. */
const carriesIPv4 = blocks('ipv6', '::ffff:0:0/96', '64:ff9b::/96');

/** The last four bytes of an IPv6 address, as an IPv4 address. */
function lastBytesOf(address: string): string {
  const last = address.slice(address.lastIndexOf(':') + 1);
  if (last.includes('.')) return last;
  // The URL parser writes an address in its canonical form, which may omit the last two groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [low = '0', high = '0'] = canonical.split(':').toReversed();
  const value = parseInt(high || '0', 16) * 65_536 + parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

/**
 * Whether an address belongs to the public internet.
 *
 * @param address an IPv4 or IPv6 address, without brackets
 * @returns false for private, loopback, link-local and every other special range, and for anything that is not an
 *   address
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (!isIPv6(address)) return !specialIPv4.check(address, 'ipv4');
  if (carriesIPv4.check(address, 'ipv6')) return isPublicAddress(lastBytesOf(address));
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}
