/**
 * How long MP4 is: by its movie header or, of a movie in fragments, by the samples of its fragments. Source: ISO/IEC 14496-12, sections
 * 8.2.2, 8.4.2 and 8.8. Of several tracks the longest counts.
 */

interface Movie {
  /** By the movie header. */
  seconds: number;
  /** Ticks in a second by track, and how many a sample has if its fragment does not say. */
  readonly scales: Map<number, number>;
  readonly samples: Map<number, number>;
  /** Of all fragments by track. */
  readonly ticks: Map<number, number>;
  /** The track that the boxes are about which follow, and what its fragment says of its samples. */
  track: number;
  each: number;
}

/** Those that have others. */
const containers = ['moov', 'trak', 'mdia', 'mvex', 'moof', 'traf'];

/** Undefined where neither says it. */
export function secondsOfMp4(bytes: Buffer): number | undefined {
  const movie: Movie = {
    seconds: 0,
    scales: new Map(),
    samples: new Map(),
    ticks: new Map(),
    track: 0,
    each: 0,
  };
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= bytes.length;
    const head = isLong ? 16 : 8;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at;
    if (size < head) break;
    const name = bytes.toString('latin1', at + 4, at + 8);
    // Boxes of a container follow its head.
    if (containers.includes(name)) at += head;
    else {
      readers[name]?.(bytes.subarray(at + head, at + size), movie);
      at += size;
    }
  }
  const lengths = [...movie.ticks].map(
    ([track, ticks]) => ticks / (movie.scales.get(track) || Number.POSITIVE_INFINITY),
  );
  return Math.max(movie.seconds, ...lengths) || undefined;
}

/** What a full box has before its fields: a version, and 24 flags. */
const flagsOf = (box: Buffer): number => (box.length >= 4 ? box.readUIntBE(1, 3) : 0);
const uintAt = (box: Buffer, at: number): number => (at + 4 <= box.length ? box.readUInt32BE(at) : 0);

const readers: Readonly<Record<string, (box: Buffer, movie: Movie) => void>> = {
  mvhd(box, movie) {
    movie.seconds = secondsOfHeader(box);
  },
  tkhd(box, movie) {
    movie.track = uintAt(box, box[0] === 1 ? 20 : 12);
  },
  mdhd(box, movie) {
    movie.scales.set(movie.track, uintAt(box, box[0] === 1 ? 20 : 12));
  },
  trex(box, movie) {
    movie.samples.set(uintAt(box, 4), uintAt(box, 12));
  },
  tfhd(box, movie) {
    const flags = flagsOf(box);
    movie.track = uintAt(box, 4);
    const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
    movie.each = flags & 8 ? uintAt(box, at) : (movie.samples.get(movie.track) ?? 0);
  },
  trun(box, movie) {
    movie.ticks.set(movie.track, (movie.ticks.get(movie.track) ?? 0) + ticksOfRun(box, movie.each));
  },
};

/** Each sample has up to four fields, of which its duration is the first. */
function ticksOfRun(box: Buffer, each: number): number {
  const flags = flagsOf(box);
  const count = uintAt(box, 4);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  if (!(flags & 0x100)) return count * each;
  let ticks = 0;
  let at = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  for (let sample = 0; sample < count && at + 4 <= box.length; sample += 1, at += 4 * fields)
    ticks += box.readUInt32BE(at);
  return ticks;
}

function secondsOfHeader(header: Buffer): number {
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return 0;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  // All bits: unknown.
  return scale > 0 && length !== (isLong ? 2 ** 64 : 2 ** 32 - 1) ? length / scale : 0;
}
