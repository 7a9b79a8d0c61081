/**
 * How many pages a PDF has, without a parser: pages are objects of the type `/Page`, and the root of their tree has their number
 * as `/Count`. From PDF 1.5 on they may be in compressed object streams. Source: ISO 32000-1, 7.7.3 and 7.5.7.
 */
import { inflateSync } from 'node:zlib';

/** The most that is unpacked of the object streams of one document, and of one of them, in bytes. */
export const maxUnpacked = 8 * 1024 * 1024;
const maxStream = 1024 * 1024;

/** The page of a scanned document is about as large, in bytes: for what has no pages that are found. */
const bytesPerPage = 40_000;

/** `bytes`: of the document. At least 1. */
export function countPages(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  const found = pagesIn(text) || pagesIn(unpack(text, bytes));
  return found || Math.max(1, Math.ceil(bytes.length / bytesPerPage));
}

/** The larger of the two counts: a document that was changed has pages of before as well. */
function pagesIn(text: string): number {
  const pages = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  const counts = [...text.matchAll(/\/Count\s+(\d{1,6})(?!\d)/g)].map(([, count]) => Number(count));
  return counts.reduce((most, count) => Math.max(most, count), pages);
}

function unpack(text: string, bytes: Buffer): string {
  const unpacked: string[] = [];
  let left = maxUnpacked;
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm/g)) {
    const begin = text.indexOf('stream', index);
    const end = text.indexOf('endstream', begin);
    if (begin < 0 || end < 0 || left <= 0) break;
    const from = begin + 'stream'.length + (text.startsWith('\r\n', begin + 'stream'.length) ? 2 : 1);
    const part = inflated(bytes.subarray(from, end), Math.min(left, maxStream));
    left -= Math.max(part.length, 1024);
    unpacked.push(part);
  }
  return unpacked.join('\n');
}

/** Nothing for a stream that is packed in another way, or that is larger than it may be. */
function inflated(packed: Buffer, maxOutputLength: number): string {
  try {
    return inflateSync(packed, { maxOutputLength }).toString('latin1');
  } catch {
    return '';
  }
}
