/**
 * Streams of bytes in chosen pieces, and the recorded streams where they are at hand.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '../../lib/core/generation/original/protocol.ts';
import { type Framing, readFrames } from '../harness/frames.ts';

async function* stream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

export function framesOf(pieces: readonly Uint8Array[], framing: Framing): Promise<Frame[]> {
  return Array.fromAsync(readFrames(stream(pieces), framing));
}

/** Every way to cut the bytes in two, or every so many, and all of them one by one. */
function* everySplit(bytes: Uint8Array, step: number): Generator<readonly Uint8Array[]> {
  for (let at = 1; at < bytes.length; at += step) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** The splits, by the size of their first piece, whose frames differ from the expected ones. */
export async function splitsThatDiffer(
  bytes: Uint8Array,
  framing: Framing,
  expected: readonly Frame[],
  step = 1,
): Promise<number[]> {
  const wanted = JSON.stringify(expected);
  const different: number[] = [];
  for (const pieces of everySplit(bytes, step)) {
    const frames = JSON.stringify(await framesOf(pieces, framing));
    if (frames !== wanted) different.push(pieces[0]?.length ?? 0);
  }
  return different;
}

const traffic = new URL('../../../shared/data/traffic', import.meta.url).pathname;

/** The names of the recorded streams; none where they are not at hand. */
export function recordings(ending: string): readonly string[] {
  if (!existsSync(traffic)) return [];
  return readdirSync(traffic, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
}

export function readRecording(name: string): Uint8Array {
  return readFileSync(join(traffic, name));
}
