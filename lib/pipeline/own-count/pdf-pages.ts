/**
 * How many pages a PDF has, without a parser: pages are objects of the type `/Page`, and a node of their tree has the number of
 * those below it. From PDF 1.5 on they may be in compressed object streams. Source: ISO 32000-1, 7.7.3 and 7.5.7.
 */
import { inflateSync } from 'node:zlib';

/** How much of a document is looked at, in bytes; the rest is taken to be like it. */
export const maxScanned = 8 * 1024 * 1024;

/** The most object streams that are unpacked of one document, and of each, in bytes. */
const maxStreams = 256;
const maxStream = 1024 * 1024;

/** How many nodes of the tree are looked at, and how much around the type of each. */
const maxNodes = 1_000;
const nodeReach = 16 * 1024;

/** A scanned page, in bytes: for a document in which no pages are found. */
const bytesPerPage = 40_000;

/** At least 1. */
export function countPages(bytes: Buffer): number {
  const scanned = bytes.subarray(0, maxScanned);
  const text = scanned.toString('latin1');
  const found = pagesIn(text) || pagesIn(unpack(text, scanned));
  const pages = found * (bytes.length / scanned.length) || bytes.length / bytesPerPage;
  return Math.max(1, Math.ceil(pages));
}

/** The larger of the two counts: a node may be packed, and what was deleted may still be there. */
function pagesIn(text: string): number {
  let max = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  let nodes = 0;
  for (const { index } of text.matchAll(/\/Type\s*\/Pages(?![a-zA-Z])/g)) {
    if (++nodes > maxNodes) break;
    const before =
      text
        .slice(Math.max(0, index - nodeReach), index)
        .split('<<')
        .at(-1) ?? '';
    const after = text.slice(index, index + nodeReach).split('>>', 1)[0] ?? '';
    const [, count = '0'] = /\/Count\s+(\d{1,6})(?!\d)/.exec(before + after) ?? [];
    max = Math.max(max, Number(count));
  }
  return max;
}

function unpack(text: string, bytes: Buffer): string {
  const unpacked: string[] = [];
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm/g)) {
    if (unpacked.length >= maxStreams) break;
    const reach = text.slice(index, index + maxStream);
    const [, begin = ''] = /(^.*?stream\r?\n)/s.exec(reach) ?? [];
    const end = reach.indexOf('endstream', begin.length);
    unpacked.push(end < 0 ? '' : inflated(bytes.subarray(index + begin.length, index + end)));
  }
  return unpacked.join('\n');
}

/** Nothing for a stream that is packed in another way, or that is larger than it may be. */
function inflated(packed: Buffer): string {
  try {
    return inflateSync(packed, { maxOutputLength: maxStream }).toString('latin1');
  } catch {
    return '';
  }
}
