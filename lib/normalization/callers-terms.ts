/** Rules leave out, add and move messages; callers are told of their own. */
import { GatewayError } from '../core/errors.ts';
import type { Place } from './rule.ts';

/** A path that counts the messages as they stand now, as one that counts the caller's. */
export function inCallersTerms(param: string, places: readonly Place[]): string {
  return param.replace(/^messages\.(\d+)(\.content\.(\d+))?/, (whole, index, inContent = '', part) => {
    const place = places[Number(index)];
    if (!place) return whole;
    return place.origins?.[Number(part)] ?? `messages.${place.position}${inContent}`;
  });
}

/** Anything thrown; a GatewayError names the caller's field. */
export function errorInCallersTerms(thrown: unknown, places: readonly Place[]): unknown {
  if (!(thrown instanceof GatewayError) || thrown.param === null) return thrown;
  const param = inCallersTerms(thrown.param, places);
  return param === thrown.param ? thrown : thrown.with({ param });
}
