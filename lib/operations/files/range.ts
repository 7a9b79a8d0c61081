/** The header Range (RFC 9110, 14.2). */
import { GatewayError } from '../../core/errors/errors.ts';
import type { ByteRange } from '../../core/files.ts';

/** Undefined for the whole: without the header, and for one that asks for something else than one range of bytes. */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  if (start < end) return { start, end };
  const message = `The file has ${size} bytes, and none in the range of the header Range.`;
  throw new GatewayError('range_not_satisfiable', message, { param: 'range' });
}
