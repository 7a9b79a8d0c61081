/**
 * A bucket on loopback. It refuses what S3 refuses: an unsigned request, one without the hash of its body or with another one, a
 * body without a length. Source: AmazonS3/latest/API/sig-v4-header-based-auth.html and API_PutObject.html.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { end, listen } from './listening.ts';

export interface ObjectStore {
  readonly url: string;
  /** The bodies by key. */
  readonly objects: ReadonlyMap<string, string>;
  /** The keys of all requests, in order, refused ones included. */
  readonly requested: readonly string[];
  /** The status of the answer to a request for a key, instead of storing; undefined: none. */
  failWith(status: (key: string) => number | undefined): void;
  close(): Promise<void>;
}

export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, string>();
  const requested: string[] = [];
  let failure: (key: string) => number | undefined = () => undefined;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const key = (request.url ?? '').slice(1);
    requested.push(key);
    const status = failure(key);
    const code = status === undefined ? refusal(request, body) : 'InternalError';
    if (code === undefined) {
      objects.set(key, body.toString());
      return response.writeHead(200, { etag: '"1"' }).end();
    }
    const answer = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`;
    return response.writeHead(status ?? 400, { 'content-type': 'application/xml' }).end(answer);
  });
  const url = await listen(server);
  return {
    url,
    objects,
    requested,
    failWith(status) {
      failure = status;
    },
    close: () => end(server),
  };
}

const signature =
  /^AWS4-HMAC-SHA256 Credential=\S+\/\d{8}\/[a-z0-9-]+\/s3\/aws4_request, SignedHeaders=(\S+), Signature=[0-9a-f]{64}$/;

/** The code of the error; undefined for a request that is right. */
function refusal({ method, headers }: IncomingMessage, body: Buffer): string | undefined {
  const [, signed = ''] = signature.exec(headers.authorization ?? '') ?? [];
  if (method !== 'PUT') return 'MethodNotAllowed';
  if (headers['content-length'] === undefined) return 'MissingContentLength';
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256'])
    if (!signed.split(';').includes(name)) return 'AccessDenied';
  const hash = createHash('sha256').update(body).digest('hex');
  return headers['x-amz-content-sha256'] === hash ? undefined : 'XAmzContentSHA256Mismatch';
}
