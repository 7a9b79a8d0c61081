/** Audio to transcribe: what a caller sent, or what a caller's URL leads to. */
import { invalid } from '../../core/errors/invalid.ts';
import { audioTypeOf, audioTypes } from '../../core/formats/audio/audio-type.ts';
import { durationMs } from '../../core/formats/audio/duration.ts';
import type { Audio, TranscriptionRequest } from '../../core/generation/transcription.ts';
import type { FetchMedia } from '../../core/ports/media.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';

/** @throws GatewayError `invalid_request` for what is no audio. */
export function readAudio(given: Uint8Array, param: string): Audio {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const type = audioTypeOf(bytes);
  if (!type) throw invalid(param, `must be audio: ${Object.keys(audioTypes).join(', ')}`);
  const ms = durationMs(bytes, type);
  return { bytes, type, ...(ms !== undefined && { ms }) };
}

/** Requests for one URL, redirects included. */
const maxRequests = 5;

interface Fetching {
  readonly signal: AbortSignal;
  readonly memory?: RequestMemory | undefined;
}

/** Rejects with GatewayError that names the field of the URL. */
export async function fetchAudio(
  fetchMedia: FetchMedia,
  { url, param }: NonNullable<TranscriptionRequest['source']>,
  { signal, memory }: Fetching,
): Promise<Audio> {
  const budget = { left: Number.MAX_SAFE_INTEGER, requests: maxRequests, ...(memory && { memory }) };
  const { blocks } = await fetchMedia(url, { kind: 'audio', param, signal, budget });
  return readAudio(Buffer.concat(blocks), param);
}
