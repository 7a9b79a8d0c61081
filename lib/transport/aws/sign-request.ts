/**
 * Signature Version 4 for requests of any form. The algorithm is the library's, the hashes are Node's: web cryptography and
 * the `Headers` of fetch, which other signers use, add 30 ms to a cold start.
 */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials, Sign } from '../../core/ports/aws.ts';
import type { BodyPieces, BodyStream } from '../../core/ports/http.ts';

/** What the library hashes: text and bytes. */
type Source = string | ArrayBuffer | ArrayBufferView;

/** The library's hash interface: with a secret it is an HMAC. */
class Sha256 {
  readonly #hash;

  constructor(secret?: Source) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret));
  }

  update(source: Source): void {
    this.#hash.update(toBytes(source));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

/**
 * Creating a key takes Node longer than signing with it, and the same few keys are used again and again: the secret, and the
 * library's key of the day.
 */
const keys = new Map<Source, KeyObject>();
const maxKeys = 16;

function keyOf(secret: Source): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  if (keys.size >= maxKeys) keys.clear();
  const key = createSecretKey(Buffer.from(toBytes(secret)));
  keys.set(secret, key);
  return key;
}

function toBytes(source: Source): string | Uint8Array {
  if (typeof source === 'string') return source;
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

/** The library takes the hash of what it cannot read from this header. */
async function hashOf(body: BodyPieces | BodyStream): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body.pieces()) hash.update(piece);
  return hash.digest('hex');
}

/** Signs with the current credentials. Rejects with the error of `credentials`. */
export function createRequestSigner(credentials: () => Promise<AwsCredentials>): Sign {
  const signer = new SignatureV4({
    credentials,
    // Each request has its own.
    service: 'none',
    region: 'none',
    sha256: Sha256,
    applyChecksum: false,
  });
  return async (request, { service, region }) => {
    const { protocol, host, hostname, pathname, searchParams } = new URL(request.url);
    const { body } = request;
    const hashed = typeof body === 'object' &&
      'pieces' in body && {
        'x-amz-content-sha256': await hashOf(body),
      };
    const { headers } = await signer.sign(
      {
        method: request.method,
        protocol,
        hostname,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: { ...request.headers, host, ...hashed },
        body,
      },
      { signingService: service, signingRegion: region },
    );
    // The HTTP client adds this header itself.
    const { host: _, ...signed } = headers;
    return { ...request, headers: signed };
  };
}
