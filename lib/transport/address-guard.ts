/**
 * Decides which addresses the gateway may connect to for a caller. The table of special ranges is the library's.
 */
import ipaddr from 'ipaddr.js';

/** The IPv6 addresses that are assigned to the public internet. The library knows the special ranges within. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address (not a name) is on the public internet. Ambiguous addresses are not. */
export function isPublicAddress(address: string): boolean {
  // Parsers disagree on short, octal and hexadecimal forms.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  // The library reads `::1.2.3.4` as a mapped address, which it is not.
  if (parsed.isIPv4MappedAddress()) {
    return /^::ffff:/i.test(address) && parsed.toIPv4Address().range() === 'unicast';
  }
  return parsed.range() === 'unicast' && parsed.match(publicIpv6);
}
