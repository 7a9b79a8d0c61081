/** The header `x-gateway-tags: team=search,cost=42`. */
import { maxTagName, maxTags, maxTagValue, type Tags } from '../../core/accounting/tags.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { HttpRequest } from './http-request.ts';

const name = 'x-gateway-tags';

/** Undefined without the header. Throws GatewayError `invalid_request` for anything but up to eight pairs. */
export function readTags(request: HttpRequest): Tags | undefined {
  const text = request.header(name);
  if (text === undefined || text.trim() === '') return undefined;
  const pairs = text.split(',').map(readPair);
  if (pairs.length > maxTags) throw wrong(`may have at most ${maxTags} pairs`);
  const names = new Set(pairs.map(([key]) => key));
  if (names.size < pairs.length) throw wrong('names a tag twice');
  return Object.fromEntries(pairs);
}

function readPair(text: string): readonly [string, string] {
  const [, key = '', value = ''] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  const [trimmedKey, trimmedValue] = [key.trim(), value.trim()];
  const isPair = trimmedKey !== '' && trimmedKey !== '__proto__' && trimmedValue !== '';
  if (isPair && trimmedKey.length <= maxTagName && trimmedValue.length <= maxTagValue) {
    return [trimmedKey, trimmedValue];
  }
  throw wrong(
    `must have pairs such as 'team=search', separated by commas, with names of at most ${maxTagName} and values of at most ${maxTagValue} characters`,
  );
}

const wrong = (problem: string) =>
  new GatewayError('invalid_request', `The header '${name}' ${problem}.`, { param: name });
