/** A form with a file that is made while it is sent. */
import type { BodyStream } from '../../core/ports/http.ts';
import { createFormFrame } from '../../transport/multipart.ts';
import type { BatchRequestOptions } from './batch-form.ts';

/** The fields come first: a server that reads the file as it arrives then knows what it is for. */
export function formWith(
  fields: Readonly<Record<string, string>>,
  filename: string,
  file: BodyStream,
): BatchRequestOptions {
  const frame = createFormFrame();
  const named = Object.entries(fields).map(([name, value]) => frame.field(name, value));
  const before = `${named.join('')}${frame.file({ name: 'file', filename, type: 'application/jsonl' })}`;
  const after = `${frame.afterFile}${frame.end}`;
  return {
    headers: frame.headers,
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
