/** Which base URLs an operator's host may have. */
import ipaddr from 'ipaddr.js';

const maxAddressLength = 500;

/** Networks that only the operator's own machines are in. */
const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Names that no public DNS server resolves. */
const privateName = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

/** What is wrong with a base URL; undefined where it can be used. */
export function addressFault(text: string): string | undefined {
  // The parser removes white space, but the text is stored.
  const url = text.length <= maxAddressLength && !/\s/.test(text) ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return `must be a URL of at most ${maxAddressLength} characters without spaces that starts with https:// or http://`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain credentials; store the key with `providers set-key`';
  }
  if (/[?#]/.test(text)) return 'must not have a query or a fragment';
  // Over plain HTTP, the key and the prompts could be read on the way.
  if (url.protocol === 'http:' && !isPrivate(url.hostname)) {
    return 'must start with https://; http:// is allowed for hosts on this machine or in a private network only';
  }
  return undefined;
}

function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(address)) return privateName.test(hostname);
  return privateRanges.includes(ipaddr.process(address).range());
}
