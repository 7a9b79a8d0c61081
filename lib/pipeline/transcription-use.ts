/** What a transcription uses: time or tokens, as the provider charges for it. */
import type { AttemptFacts } from '../core/endpoint.ts';
import type { AudioType } from '../core/formats/audio/audio-type.ts';
import type { Audio, Transcript, TranscriptionRequest } from '../core/generation/transcription.ts';
import { inputOnly } from '../core/generation/usage.ts';
import { noteEstimate, noteUse } from './use/attempt-use.ts';

/**
 * What the provider counts. Where it does not say how long the audio is that it charges for, its container does, as an estimate; where
 * that does not either, the use is unknown.
 */
export function noteTranscript(
  attempt: AttemptFacts,
  { text, counted, chargedSeconds, duration, rawUsage: raw }: Transcript,
  { ms }: Pick<Audio, 'ms'>,
): void {
  const { price } = attempt.price ?? {};
  if (counted && price?.audioHour === undefined) {
    noteUse(attempt, counted);
    return;
  }
  const seconds = chargedSeconds ?? duration;
  const audioMs = seconds === undefined ? heardMs(ms, text.length) : Math.max(1, Math.round(seconds * 1_000));
  if (audioMs === undefined || (price && price.audioHour === undefined)) return;
  const usage = { ...inputOnly(0), audioMs };
  if (seconds === undefined) noteEstimate(attempt, usage);
  else noteUse(attempt, { usage, raw });
}

/** In characters: speech has at most so many in a second. */
const charactersPerSecond = 40;

/** How long the container says that the audio is, but not less than it takes to say what was heard: the container is its sender's word. */
export const heardMs = (ms: number | undefined, characters: number): number | undefined =>
  ms === undefined ? undefined : Math.max(ms, Math.ceil((characters / charactersPerSecond) * 1_000));

export const bytesPerToken = 4;

export const promptTokens = (
  { parameters: { prompt = '', keywords = [] } }: Pick<TranscriptionRequest, 'parameters'>,
  bytes: number,
): number => Math.ceil(Buffer.byteLength(prompt + keywords.join()) / bytes);

/** Google counts so many for a second; others fewer. */
const tokensPerSecond = 25;

/** The longest that audio of so many bytes may be: no codec of the operation's containers takes fewer than 6 kbit/s for speech. */
const bytesPerSecond = 750;

/** The most that is usual for a second: of samples as they are, two of 24 bits at 48 kHz; of others, 512 kbit/s. */
const mostBytesPerSecond = (type: AudioType): number =>
  type === 'wav' || type === 'flac' ? 288_000 : 64_000;

/** A container that says that its audio is short has fewer bytes than one that is long. */
export const maxMs = ({ bytes, ms, type }: Audio): number =>
  ms === undefined
    ? Math.ceil((bytes.length / bytesPerSecond) * 1_000)
    : Math.max(ms, Math.ceil((bytes.length / mostBytesPerSecond(type)) * 1_000));

export const audioTokens = (ms: number): number => Math.ceil((ms / 1_000) * tokensPerSecond);
