/** API Gateway's limits on a request: what passes here also passes there. */
import type { IncomingMessage } from 'node:http';
import { maxBodyBytes } from '../../../lib/http/body-limit.ts';

/** In bytes, of all header values together. */
export const headerLimit = 10_240;

export function headersFit({ rawHeaders }: IncomingMessage): boolean {
  let size = 0;
  // Names and values alternate, one character for each byte.
  for (let index = 1; index < rawHeaders.length; index += 2) size += rawHeaders[index]?.length ?? 0;
  return size <= headerLimit;
}

/**
 * The body, or undefined if it is over the limit (it is then not read to its end). Rejects if the client disconnects while
 * it sends.
 */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.resolve(undefined);
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    // Not an async iterator, which is several times slower for bodies of one chunk, as most are.
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxBodyBytes) parts.push(part);
      else {
        request.pause().removeAllListeners('data');
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('close', () => {
      if (!request.readableEnded) reject(new Error('The client disconnected while it sent.'));
    });
  });
}
