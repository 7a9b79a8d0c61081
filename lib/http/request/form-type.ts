/** The Content-Type of a form: whether a body is one, and what is the same in all forms with one content. */
import type { ReadHeader } from '../../core/endpoint.ts';

const pattern = /^multipart\/form-data\s*;.*boundary=(?:"([^"]+)"|([^\s;]+))/i;

export const isForm = (header: ReadHeader): boolean => pattern.test(header('content-type') ?? '');

/** The body without its boundary, which clients choose for each request: the same content, sent again, is the same. */
export function withoutBoundary(header: ReadHeader, body: string | Buffer): string | Buffer {
  const [, quoted, plain] = pattern.exec(header('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? body : Buffer.from(body).toString('latin1').replaceAll(boundary, '');
}
