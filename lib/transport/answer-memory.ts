/** What an answer takes of the memory that the requests of a process share. */
import type { HttpResponse } from '../core/ports/http.ts';
import { serverBusy } from '../core/ports/memory.ts';

/** For each byte of an answer that is read whole: it itself, its text, what is read from it, and what is written of it. */
export const answerFactor = 8;

/** For each byte of one with long texts, which stay where they were received, until they are written. */
export const imagesFactor = 2;

/** For each byte of a link that is fetched: it itself, as it was received and in a block; it is sent piece by piece. */
export const mediaFactor = 2;

/** Counts what has come. @throws GatewayError `server_busy` if there is no memory for it. */
export function takeForAnswer({ memory }: HttpResponse, bytes: number, factor: number): void {
  if (memory && !memory.admit(bytes * factor)) throw serverBusy();
}
