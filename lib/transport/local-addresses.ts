/** The addresses that count as this machine: its own, and those that the operator lists, as of a container's network. */
import { BlockList, isIP } from 'node:net';

/** Whether an address of a connection counts as this machine. */
export type IsLocalAddress = (address: string) => boolean;

/** The most addresses that the setting may list. */
export const maxLocalAddresses = 20;

/**
 * @param text addresses, or ranges such as `172.16.0.0/12`, separated by commas.
 * @throws Error that names the variable.
 */
export function readLocalAddresses(variable: string, text = ''): IsLocalAddress {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8);
  list.addAddress('::1', 'ipv6');
  const ranges = text.split(',').flatMap((part) => part.trim() || []);
  if (ranges.length > maxLocalAddresses || !ranges.every((range) => add(list, range)))
    throw new Error(
      `${variable} must be at most ${maxLocalAddresses} addresses or ranges, such as 172.16.0.0/12, separated by commas.`,
    );
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

/** False for what is no range. */
function add(list: BlockList, range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? '0') || prefix > most) return false;
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}
