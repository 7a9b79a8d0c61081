/** What an answer takes of the memory that the requests of a process share. */
import { type RequestMemory, serverBusy } from '../core/ports/memory.ts';

/** For each byte of an answer that is read whole: it itself, its text, what is read from it, and what is written of it. */
export const answerFactor = 8;

/** For each character of a stream whose whole is written at its end: what is kept of it, and the events that repeat it. */
export const keptFactor = 11;

/** For each byte of one with long texts, which stay where they were received, until they are written. */
export const imagesFactor = 2;

/** For each byte of a link that is fetched: it itself, as it was received and in a block; it is sent piece by piece. */
export const mediaFactor = 2;

/** Counts what has come. @throws GatewayError if there is no memory for it. */
export function takeForAnswer(
  { memory }: { readonly memory?: RequestMemory | undefined },
  bytes: number,
  factor: number,
): void {
  const refusal = memory?.admitAnswer(bytes * factor);
  if (refusal) throw refusal;
}

/** The same for images, which stay as they were received, and whose size has a limit of its own. @throws GatewayError `server_busy` */
export function takeForImages(
  { memory }: { readonly memory?: RequestMemory | undefined },
  bytes: number,
): void {
  if (memory && !memory.admit(bytes * imagesFactor)) throw serverBusy();
}
