/** What a transcription uses: time or tokens, as the provider charges for it. */
import type { AttemptFacts } from '../core/endpoint.ts';
import type { Audio, Transcript } from '../core/generation/transcription.ts';
import { inputOnly } from '../core/generation/usage.ts';
import { noteEstimate, noteUse } from './use/attempt-use.ts';

/**
 * What the provider counts. Where it does not say how long the audio is that it charges for, its container does, as an estimate; where
 * that does not either, the use is unknown.
 */
export function noteTranscript(
  attempt: AttemptFacts,
  { counted, chargedSeconds, duration, rawUsage: raw }: Transcript,
  { ms }: Pick<Audio, 'ms'>,
): void {
  const { price } = attempt.price ?? {};
  if (counted && price?.audioHour === undefined) {
    noteUse(attempt, counted);
    return;
  }
  const seconds = chargedSeconds ?? duration;
  const audioMs = seconds === undefined ? ms : Math.max(1, Math.round(seconds * 1_000));
  if (audioMs === undefined || (price && price.audioHour === undefined)) return;
  const usage = { ...inputOnly(0), audioMs };
  if (seconds === undefined) noteEstimate(attempt, usage);
  else noteUse(attempt, { usage, raw });
}

/** Google counts so many for a second; others fewer. */
const tokensPerSecond = 25;

/** The longest that audio of so many bytes may be: no codec of the operation's containers takes fewer than 6 kbit/s for speech. */
const bytesPerSecond = 750;

export const maxMs = ({ bytes, ms }: Audio): number =>
  ms ?? Math.ceil((bytes.length / bytesPerSecond) * 1_000);

export const audioTokens = (ms: number): number => Math.ceil((ms / 1_000) * tokensPerSecond);
