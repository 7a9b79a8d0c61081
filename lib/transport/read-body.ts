/**
 * Reads a whole answer, within a limit. What the bytes say is not its matter.
 */
import { GatewayError } from '../core/errors.ts';
import type { HttpResponse } from '../core/ports.ts';

/** The body as UTF-8 text. Throws `upstream_invalid_answer` above the limit, and what the body itself throws. */
export async function readBody(response: HttpResponse, limitBytes: number): Promise<string> {
  const bytes = await readBytes(response, limitBytes);
  if (bytes) return new TextDecoder().decode(bytes);
  throw new GatewayError('upstream_invalid_answer', 'The provider returned a response that is too large.', {
    upstreamStatus: response.status,
  });
}

/** The body, or undefined when it has more bytes than the limit; reading stops there. */
export async function readBytes(response: HttpResponse, limitBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body) {
    total += chunk.length;
    if (total > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
