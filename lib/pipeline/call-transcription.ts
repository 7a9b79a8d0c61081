/** One target asked to transcribe audio, in one call. Knows nothing of other targets. */
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import type {
  Audio,
  Transcript,
  TranscriptionProtocol,
  TranscriptionRequest,
} from '../core/generation/transcription.ts';
import { inputOnly } from '../core/generation/usage.ts';
import type { Provider } from '../providers/provider.ts';
import type { HeldMedia } from '../transport/json-body.ts';
import { base64Of, blocksOf } from '../transport/media-bytes.ts';
import { fetchAudio } from './media/fetch-audio.ts';
import type { CallOptions } from './model-task.ts';
import { type Connections, isSandbox, openAccount, readJson } from './use/account.ts';
import { noteEstimate, noteUse } from './use/attempt-use.ts';
import { readAnswer } from './use/read-answer.ts';

/** A request as its target takes it. */
export interface TranscriptionCall {
  readonly provider: Provider;
  readonly protocol: TranscriptionProtocol;
  readonly target: Target;
  readonly request: TranscriptionRequest;
  /** Absent in a dry run: it was not fetched. */
  readonly audio: Audio | undefined;
}

export interface Transcribed extends Transcript {
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** Words of ten hours, each with its times. */
const largestAnswer = 32 * 1024 * 1024;

export async function callTranscription(
  { provider, protocol, target, request, audio: known }: TranscriptionCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Transcribed> {
  const audio = known ?? (await fetched(request, connections, { signal, memory }));
  const { base64, held } = protocol.inJson ? hold(audio) : { base64: '', held: undefined };
  const account = await openAccount(provider, target, 'body', connections, {
    signal,
    lasting,
    memory,
    attempt,
    ...(held && { held }),
  });
  const { fields, files } = protocol.encode(request, { ...audio, base64 }, target);
  const { listName } = protocol;
  const response = await account.post(protocol.path(request, target), fields, files && { files, listName });
  return await readAnswer(response, {
    protocol,
    async read() {
      const transcript = protocol.decode(await readJson(response, largestAnswer), request);
      noteTranscript(attempt, transcript, audio);
      return { ...transcript, sandbox: isSandbox(response) };
    },
    located: (error) => error,
  });
}

/** Its base64 is written while it is sent. */
function hold({ bytes }: Audio): { readonly base64: string; readonly held: HeldMedia } {
  const media = { blocks: blocksOf(bytes), length: bytes.length };
  const base64 = base64Of(media);
  return { base64, held: new Map([[base64, media]]) };
}

/** Of a dry run, where something stands for it. */
async function fetched(
  { source }: TranscriptionRequest,
  { fetchMedia }: Pick<Connections, 'fetchMedia'>,
  options: Pick<CallOptions, 'signal' | 'memory'>,
): Promise<Audio> {
  if (!source) throw new TypeError('There is neither audio nor a URL.');
  return await fetchAudio(fetchMedia, source, options);
}

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
