/**
 * How long WebM is: what its head says or, as of recordings of browsers, which write none, the time of its last block. Source: RFC 8794
 * (EBML), RFC 9559 (Matroska). No master element is skipped whose parts have times, so that one of unknown size is read like others.
 */

interface Element {
  readonly id: number;
  /** Where its data begins. */
  readonly at: number;
  /** All bits: unknown. */
  readonly size: number;
}

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;

const masters: readonly number[] = [ids.segment, ids.info, ids.cluster, ids.group];
const blocks: readonly number[] = [ids.block, ids.simpleBlock];
const usualScale = 1_000_000;
const perSecond = 1e9;

/** Undefined where it has neither. */
export function secondsOfWebm(bytes: Buffer): number | undefined {
  let [scale, duration, cluster, last, before] = [usualScale, 0, 0, 0, 0];
  for (let at = 0; ; ) {
    const element = elementAt(bytes, at);
    if (!element) break;
    const { id, size } = element;
    if (id === ids.scale) scale = uintIn(bytes, element);
    if (id === ids.duration) duration = floatIn(bytes, element);
    if (id === ids.clusterTime) cluster = uintIn(bytes, element);
    const time = blocks.includes(id) ? cluster + timeOf(bytes, element) : 0;
    if (time > last) [before, last] = [last, time];
    at = masters.includes(id) ? element.at : element.at + size;
  }
  // The last block is about as long as the one before.
  return (Math.max(duration, last + (last - before)) * scale) / perSecond || undefined;
}

/** Each element has at least two bytes. */
function elementAt(bytes: Buffer, from: number): Element | undefined {
  const idLength = lengthAt(bytes, from);
  const sizeLength = lengthAt(bytes, from + idLength);
  const at = from + idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || at > bytes.length) return undefined;
  const id = bytes.readUIntBE(from, idLength);
  const marker = 1 << (8 - sizeLength);
  let size = (bytes[from + idLength] ?? 0) & (marker - 1);
  for (let index = 1; index < sizeLength; index += 1)
    size = size * 256 + (bytes[from + idLength + index] ?? 0);
  return { id, at, size };
}

/** Of a number that says its length by the zeros that it begins with: of more than eight is none. */
const lengthAt = (bytes: Buffer, at: number): number => Math.clz32((bytes[at] ?? 0) << 24) + 1;

const uintIn = (bytes: Buffer, { at, size }: Element): number =>
  size > 0 && size <= 6 && at + size <= bytes.length ? bytes.readUIntBE(at, size) : 0;

function floatIn(bytes: Buffer, { at, size }: Element): number {
  if (at + size > bytes.length || (size !== 4 && size !== 8)) return 0;
  const value = size === 4 ? bytes.readFloatBE(at) : bytes.readDoubleBE(at);
  return value > 0 && Number.isFinite(value) ? value : 0;
}

/** After the number of its track, from the beginning of its cluster. */
function timeOf(bytes: Buffer, { at }: Element): number {
  const track = lengthAt(bytes, at);
  return at + track + 2 <= bytes.length ? bytes.readInt16BE(at + track) : 0;
}
