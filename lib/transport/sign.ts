/**
 * Signature Version 4 for calls of AWS services. The algorithm is the library's; which headers are signed is decided
 * here only by what it is given: the HTTP client changes none of those.
 */
import { AwsV4Signer } from 'aws4fetch';
import type { AwsCredentials, Sign } from '../core/ports.ts';

/** Signing keys to keep: one for each day, region, service and secret. */
const maxKeys = 32;

/** Signs with the credentials of the moment. Rejects with what `credentials` rejects with. */
export function createSigner(credentials: () => Promise<AwsCredentials>): Sign {
  const keys = new Map<string, ArrayBuffer>();
  return async (request, { service, region }) => {
    // A local gateway lives for many days, and its credentials change every hour.
    if (keys.size > maxKeys) keys.clear();
    const signer = new AwsV4Signer({
      ...(await credentials()),
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body ?? null,
      service,
      region,
      cache: keys,
    });
    const signed = await signer.sign();
    return { ...request, headers: Object.fromEntries(signed.headers) };
  };
}
