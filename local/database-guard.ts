/**
 * Who may use the local database: processes that know the access key of this start, which is in a file that only its owner can
 * read. A page in a browser can reach the port, too: its requests have an Origin, or a Host that its name server led here.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fits where AWS has an access key id, and needs no encoding in an address. */
export const newAccessKey = (): string => randomBytes(20).toString('hex');

/** Puts the guard before what answers the server's requests. Call it once the server listens. Returns the endpoint, with the key. */
export function guard(server: Server, accessKey: string): string {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isAllowed(request, host, accessKey)) return refuse(response);
    for (const answer of answers) answer(request, response);
  });
  return `http://${accessKey}@${host}`;
}

function isAllowed({ headers }: IncomingMessage, host: string, accessKey: string): boolean {
  if (headers.origin !== undefined || headers.host !== host) return false;
  // The form of Signature Version 4. Who has the access key needs no other proof, so the signature is not computed again.
  const [, given = ''] = /^AWS4-HMAC-SHA256 Credential=([0-9a-f]+)\//.exec(headers.authorization ?? '') ?? [];
  return given.length === accessKey.length && timingSafeEqual(Buffer.from(given), Buffer.from(accessKey));
}

const refusal = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message: 'This database answers only the gateway that started it.',
});

/** Closes the connection, so that a body need not be read. */
function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' }).end(refusal);
}
