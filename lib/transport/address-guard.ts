/**
 * Which addresses the gateway may reach on behalf of a caller. The table of special ranges is the library's.
 */
import ipaddr from 'ipaddr.js';

/** Everything that IPv6 gives to the public internet so far. What is special in it, the library knows by name. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a textual address (never a name) belongs to a host on the public internet. Anything unclear does not. */
export function isPublicAddress(address: string): boolean {
  // Short, octal and hexadecimal spellings mean different hosts to different readers.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  // The library takes `::1.2.3.4` for a mapped address, which it is not.
  if (parsed.isIPv4MappedAddress()) {
    return /^::ffff:/i.test(address) && parsed.toIPv4Address().range() === 'unicast';
  }
  return parsed.range() === 'unicast' && parsed.match(publicIpv6);
}
