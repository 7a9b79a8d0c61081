/**
 * The base URL at which a caller has reached the gateway: by the host that it has named, or a proxy for it, and with the stage of
 * API Gateway. It is for answers to this caller alone, who may have named any.
 */
import type { HttpRequest } from './http-request.ts';

/** A host with a port. Anything else cannot be a part of a URL. */
const hostPattern = /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

/** Without the version, and without a slash at the end. */
export function reachedAt({ header, path, template }: HttpRequest): string {
  const forwarded = header('forwarded');
  const hosts = [header('x-forwarded-host'), pairOf(forwarded, 'host'), header('host')].map(first);
  const host = hosts.find((one) => one !== undefined && hostPattern.test(one)) ?? 'localhost';
  const proto = first(header('x-forwarded-proto')) ?? pairOf(forwarded, 'proto');
  return `${proto?.toLowerCase() === 'https' ? 'https' : 'http'}://${host}${stageOf(path, template)}`;
}

/** What is before the path of the operation: a stage, or the path of a custom domain. */
function stageOf(path: string, template: string): string {
  const [start = ''] = template.split('{');
  return path.slice(0, Math.max(0, path.lastIndexOf(start)));
}

/** Of several proxies, the one that the caller has reached. */
const first = (value: string | undefined): string | undefined => value?.split(',')[0]?.trim();

/** RFC 7239. */
const pairOf = (forwarded: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}="?([^";,]+)`, 'i').exec(first(forwarded) ?? '')?.[1];
