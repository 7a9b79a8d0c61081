/** A form with a file that is made while it is sent. */
import { randomUUID } from 'node:crypto';
import type { BodyStream } from '../../core/ports/http.ts';
import type { BatchRequestOptions } from './batch-form.ts';

/**
 * The fields come first: a server that reads the file as it arrives then knows what it is for. Names of headers are written as other
 * clients do: Together was seen to find no field in a form that was written otherwise.
 */
export function formWith(
  fields: Readonly<Record<string, string>>,
  filename: string,
  file: BodyStream,
): BatchRequestOptions {
  const boundary = `form-${randomUUID()}`;
  const part = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
  const named = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n${value}\r\n`);
  const type = 'Content-Type: application/jsonl\r\n';
  const before = `${named.join('')}${part('file', `; filename="${filename}"`)}${type}\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: {
      byteLength: Buffer.byteLength(before) + file.byteLength + after.length,
      async *pieces() {
        yield before;
        yield* file.pieces();
        yield after;
      },
    },
  };
}
