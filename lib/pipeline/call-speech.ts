/** One target asked to speak a text, in one call. Knows nothing of other targets. */
import { withFirst } from '../async/with-first.ts';
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { AudioMeter } from '../core/formats/audio/meter.ts';
import type { SpeechPiece, SpeechProtocol, SpeechRequest } from '../core/generation/speech.ts';
import { inputOnly, type Usage } from '../core/generation/usage.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import type { Provider } from '../providers/provider.ts';
import type { CallOptions } from './model-task.ts';
import { expectSuccess, isSandbox, openAccount, unreadable } from './use/account.ts';
import { type CountedUse, noteEstimate, noteUse } from './use/attempt-use.ts';
import { readEvents } from './use/read-events.ts';

/** A request as its target takes it. */
export interface SpeechCall {
  readonly provider: Provider;
  readonly protocol: SpeechProtocol;
  readonly target: Target;
  readonly request: SpeechRequest;
}

export interface Speech {
  /** As it comes. Throws GatewayError for what breaks off. */
  readonly audio: AsyncIterable<Uint8Array>;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** What a function can stream in one answer: more than an hour of uncompressed samples. */
const largestAudio = 192 * 1024 * 1024;

/** Resolves with the first bytes of the audio: no other target is tried after them. */
export async function callSpeech(
  { provider, protocol, target, request }: SpeechCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Speech> {
  const options = { signal, lasting, memory, attempt };
  const account = await openAccount(provider, target, 'stream', connections, options);
  const path = protocol.path(target.deployment.upstreamId);
  const { headers, maxPerCharacter } = protocol;
  const response = await account.post(path, protocol.encode(request, target), headers && { headers });
  await expectSuccess(response, protocol);
  const reader = protocol.reader(request, target);
  const pieces = reader ? readEvents(response, reader) : readBytes(response);
  const { response_format: format = 'mp3' } = request.parameters;
  const meter = protocol.meter?.(format, target);
  const isCounting = maxPerCharacter !== undefined;
  const audio = counting(pieces, { attempt, request, meter, isCounting });
  const first = await audio.next();
  if (first.done)
    throw new GatewayError('upstream_cut', 'The provider ended its response without any audio.');
  return { audio: withFirst(first.value, audio), sandbox: isSandbox(response) };
}

/** The end of the bytes is the end of the audio. */
async function* readBytes({ body, headers }: HttpResponse): AsyncGenerator<SpeechPiece> {
  if (/json|text\//.test(headers['content-type'] ?? '')) throw unreadable('The answer is no audio.');
  for await (const audio of body) yield { audio };
  yield { isLast: true };
}

interface Counting {
  readonly attempt: AttemptFacts;
  readonly request: SpeechRequest;
  readonly meter: AudioMeter | undefined;
  /** Whether the provider says how many characters it charges for. */
  readonly isCounting: boolean;
}

/** The audio of the pieces. Notes what they used; what ends before its counts come is estimated. */
async function* counting(
  pieces: AsyncGenerator<SpeechPiece>,
  { attempt, request, meter, isCounting }: Counting,
): AsyncGenerator<Uint8Array> {
  const isByText = attempt.price?.price.characters !== undefined;
  let isCounted = false;
  let isWhole = false;
  let size = 0;
  let seconds = 0;
  const maxSeconds = maxSecondsOf(request);
  try {
    for await (const { audio, counted, isLast } of pieces) {
      isWhole ||= isLast === true;
      size += audio?.length ?? 0;
      seconds = (audio && meter?.(audio)) ?? seconds;
      // A text is charged for when its audio begins.
      const used = isByText && size > 0 && !isCounting ? spoken(request) : counted;
      if (used && !isCounted) noteUse(attempt, used);
      isCounted ||= used !== undefined;
      if (size > largestAudio || seconds > maxSeconds)
        throw new GatewayError('upstream_invalid_answer', 'The provider sent too much audio.', {
          mayRetry: false,
        });
      if (audio && audio.length > 0) yield audio;
    }
    if (!isWhole) throw new GatewayError('upstream_cut', 'The provider ended its response before its end.');
  } finally {
    if (!isCounted)
      noteEstimate(
        attempt,
        size === 0
          ? inputOnly(inputTokensOf(request))
          : isByText
            ? spoken(request).usage
            : estimated(request, seconds),
      );
  }
}

/** In code points, as providers count them. */
export const charactersOf = ({ input }: SpeechRequest): number => [...input].length;

const spoken = (request: SpeechRequest): CountedUse => ({
  usage: { ...inputOnly(0), characters: charactersOf(request) },
});

const bytesPerToken = 4;

/**
 * Sources: of 39.5 s of speech of 539 characters; Google counts 25 tokens for a second. OpenAI counts about 21: 0.015 dollars for a minute
 * of gpt-4o-mini-tts, by its table of prices, and six tokens for each of a text, as s-anand.net measured on 2025-11-02.
 */
const charactersPerSecond = 14;
const tokensPerSecond = 25;

export const inputTokensOf = ({ input, parameters: { instructions = '' } }: SpeechRequest): number =>
  Math.ceil(Buffer.byteLength(input + instructions) / bytesPerToken);

/** All of the audio may have been made, and be longer than a text usually is. */
const estimated = (request: SpeechRequest, seconds: number): Usage => ({
  ...inputOnly(inputTokensOf(request)),
  completionTokens: Math.ceil(
    Math.max(seconds, charactersOf(request) / charactersPerSecond) * tokensPerSecond,
  ),
});

/** Longer than anyone speaks a text. What goes on is ended, so that it costs no more than was reserved for it. */
const maxSecondsOf = (request: SpeechRequest): number => Math.max(60, charactersOf(request));

/** The most tokens of audio, with a margin, where its length is known; else what the model is limited to, or null. */
export function maxAudioTokens(
  request: SpeechRequest,
  isMeasured: boolean,
  limit: number | null,
): number | null {
  if (!isMeasured) return limit;
  return Math.min(limit ?? Number.POSITIVE_INFINITY, maxSecondsOf(request) * tokensPerSecond * 2);
}
